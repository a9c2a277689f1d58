ptk lines --source-path testdata/lprof --show meth -f csv testdata/lprof/w_lines.lprof; ptk lines -n 1 -f md testdata/lprof/w_lines.lprof
