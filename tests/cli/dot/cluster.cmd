ptk dot --cluster testdata/pstats/cycle_small.pstats
ptk dot -q --cluster testdata/pstats/weird_names_py311.pstats | dot -Tsvg | xmllint --noout - && echo accepted
