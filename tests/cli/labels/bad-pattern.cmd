ptk hotspots --focus-label 'key=(' testdata/pprof/labels.pb
