ptk overlap testdata/sqlite/nvprof.nvvp
