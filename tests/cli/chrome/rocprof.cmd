# AMD's rocprof 1: numbers as text, no categories, flows from calls to kernels.
ptk info testdata/chrome/rocprof.json
ptk hotspots --value device -f csv testdata/chrome/rocprof.json
ptk tree --value device testdata/chrome/rocprof.json
