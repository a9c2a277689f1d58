ptk lines --source-path testdata/lprof --show slow -f json testdata/lprof/w_lines.lprof
