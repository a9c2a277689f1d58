ptk list leaf testdata/pprof/inlined_recursion.pb
ptk list -f csv '^main' testdata/pprof/inlined_recursion.pb
