ptk diff testdata/folded/small.folded testdata/pprof/unpacked.pb
