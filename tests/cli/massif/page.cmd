# the page has the bytes of snapshots over time, and who allocated them
ptk report testdata/massif/grow.massif | grep -oE '"name":"[a-z]+ bytes","process":"","points":[0-9]+|"unit":"bytes"|<section id="(events|hotspots)"'
