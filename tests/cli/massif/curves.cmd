# heap, overhead and stacks over time: counters of a timeline, which spans them
ptk timeline testdata/massif/grow.massif | grep -o '>[a-z]* bytes<\|at most [^<]*\|>[^<>]*0 events[^<]*'
ptk convert --to chrome testdata/massif/grow.massif | tail -n 5
ptk timeline testdata/massif/app.massif | grep -c 'class="area"'
ptk hotspots --end 1ms testdata/massif/grow.massif
