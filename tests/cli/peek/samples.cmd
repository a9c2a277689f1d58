ptk peek leaf testdata/pprof/inlined_recursion.pb
