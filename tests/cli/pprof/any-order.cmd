ptk hotspots -f csv testdata/pprof/fields_reordered.pb
