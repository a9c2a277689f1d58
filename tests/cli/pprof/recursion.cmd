ptk callers . testdata/pprof/inlined_recursion.pb
