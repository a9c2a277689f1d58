ptk list slow --source-path testdata/lprof testdata/lprof/w_lines.lprof
