ptk roofline --l2-gbs 4000 testdata/ncu/cuda10.csv
