ptk labels testdata/pprof/labels.pb
