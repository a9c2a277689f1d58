ptk tree --value device testdata/sqlite/nvprof.nvvp
