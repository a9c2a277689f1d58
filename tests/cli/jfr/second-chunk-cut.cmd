ptk hotspots -n 2 testdata/jfr/second-chunk-cut.jfr
