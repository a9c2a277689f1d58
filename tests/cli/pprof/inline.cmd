# a mark says that code stands within its callers'; with it or without, the name is found
ptk hotspots testdata/pprof/inlined_recursion.pb
ptk callers 'leaf (inline)' testdata/pprof/inlined_recursion.pb
