ptk labels -f csv testdata/pprof/labels.pb
