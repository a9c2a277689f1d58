ptk hotspots --by label:key testdata/pprof/labels.pb
ptk hotspots --focus-label bytes=4096 testdata/pprof/labels.pb
ptk tree --ignore-label key=val testdata/pprof/labels.pb
ptk tree --by label:key testdata/pprof/labels.pb
