ptk roofline testdata/ncu/decimal_comma.csv; ptk info -f csv testdata/ncu/decimal_comma.csv
