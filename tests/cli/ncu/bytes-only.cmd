ptk roofline --peak-gbs 672 -f csv testdata/ncu/bytes_only.csv
