ptk info testdata/sqlite/nvprof.nvvp
