ptk hotspots testdata/lprof/w_lines.lprof; ptk info testdata/lprof/w_lines.lprof
