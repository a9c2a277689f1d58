ptk what-if --scale gemm testdata/chrome/overlap.json
