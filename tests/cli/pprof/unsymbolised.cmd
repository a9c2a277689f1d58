ptk hotspots testdata/pprof/unsymbolised.pb
