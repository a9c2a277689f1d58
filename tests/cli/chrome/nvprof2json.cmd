# Nanoseconds since 1970, and all kernels twice.
ptk info testdata/chrome/nvprof2json.json
ptk hotspots --value device -f csv testdata/chrome/nvprof2json.json
