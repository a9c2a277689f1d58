ptk hotspots testdata/sqlite/nvprof.nvvp
