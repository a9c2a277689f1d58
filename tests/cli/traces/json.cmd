ptk traces -f json testdata/pprof/labels.pb
