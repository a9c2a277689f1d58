ptk roofline testdata/sqlite/nsys.sqlite
