ptk lines --no-source -n 2 testdata/lprof/w_lines.lprof
