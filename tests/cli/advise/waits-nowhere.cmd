# Waits none of which leaves the device idle: the place is what the host ran after them.
ptk advise testdata/chrome/pageable.json.gz | sed -n '/host waits for the device/,/gain/p'
