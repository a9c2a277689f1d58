ptk list nothing testdata/pprof/inlined_recursion.pb
