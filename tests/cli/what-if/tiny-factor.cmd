ptk what-if --scale gemm=1e-300 testdata/chrome/overlap.json
