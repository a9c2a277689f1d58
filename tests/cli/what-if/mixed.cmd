ptk what-if -f csv --scale cudaLaunch=0.5 --scale gemm=2 testdata/chrome/overlap.json
