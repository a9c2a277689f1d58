# A first product's cudaFree and cudaMalloc set the library up; a later cudaMalloc is the allocator's; the
# profiler's own calls are no part of the run.
ptk bound testdata/chrome/set_up.json
ptk advise testdata/chrome/set_up.json
