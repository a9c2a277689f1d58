ptk what-if --scale gemm=2 testdata/chrome/overlap.json
