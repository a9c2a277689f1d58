# the label above every stack, and below
ptk tree --by tagroot:key testdata/pprof/labels.pb
ptk tree --by tagleaf:key testdata/pprof/labels.pb
ptk hotspots --by tagleaf:key -f csv testdata/pprof/labels.pb
ptk tree --by tagleaf:bytes --min-percent 10 testdata/pprof/go_heap.pb.gz
ptk hotspots --by tagroot:key testdata/pstats/fractal.pstats || echo "status $?"
