ptk info testdata/jfr/packed.jfr
