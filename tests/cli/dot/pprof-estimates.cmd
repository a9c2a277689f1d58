# a call graph has no residual calls; times that the file does not have are estimates
ptk dot --style pprof testdata/pstats/py27_ints_strings.pstats
ptk dot -q --style pprof testdata/pstats/weird_names_py311.pstats | dot -Tsvg | xmllint --noout - && echo accepted
