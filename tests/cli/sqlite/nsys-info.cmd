ptk info testdata/sqlite/nsys.sqlite
