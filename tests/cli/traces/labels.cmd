ptk traces testdata/pprof/labels.pb
