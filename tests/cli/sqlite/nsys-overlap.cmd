ptk overlap testdata/sqlite/nsys.sqlite
