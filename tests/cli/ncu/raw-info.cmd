ptk info testdata/ncu/raw.csv
