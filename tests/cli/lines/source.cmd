ptk lines --source-path testdata/lprof testdata/lprof/w_lines.lprof
