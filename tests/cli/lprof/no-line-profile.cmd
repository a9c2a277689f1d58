ptk hotspots testdata/lprof/not_linestats_dict.lprof
