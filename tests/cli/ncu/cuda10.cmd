ptk roofline testdata/ncu/cuda10.csv; ptk info testdata/ncu/cuda10.csv
