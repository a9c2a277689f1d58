ptk advise --gpu V100-SXM2 testdata/chrome/full-precision-gemm.json
