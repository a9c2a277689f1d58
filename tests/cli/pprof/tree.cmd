ptk tree testdata/pprof/inlined_recursion.pb
