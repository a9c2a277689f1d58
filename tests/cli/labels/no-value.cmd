ptk labels --focus-label key testdata/pprof/labels.pb
