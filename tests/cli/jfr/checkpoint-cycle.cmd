ptk info testdata/jfr/checkpoint-cycle.jfr
