ptk hotspots testdata/jfr/packed.jfr
