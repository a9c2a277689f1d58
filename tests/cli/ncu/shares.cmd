ptk roofline testdata/ncu/details.csv
