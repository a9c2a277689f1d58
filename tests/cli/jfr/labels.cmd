ptk labels testdata/jfr/packed.jfr
