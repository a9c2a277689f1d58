ptk convert --to callgrind testdata/pprof/inlined_recursion.pb
# lambdas of one file and no name of their own are told apart by their lines
ptk convert --to callgrind testdata/pstats/mix_py311.pstats | grep 'fn=.*__init__' | sort
