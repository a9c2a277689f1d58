ptk labels --focus-label key=9. -f json testdata/pprof/labels.pb
