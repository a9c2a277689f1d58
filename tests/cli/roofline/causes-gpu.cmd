ptk roofline --gpu MI300X -f json testdata/chrome/full-precision-gemm.json
