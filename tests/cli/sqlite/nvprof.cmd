ptk hotspots --value time testdata/sqlite/nvprof.nvvp
