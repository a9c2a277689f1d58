ptk roofline testdata/ncu/raw.csv
