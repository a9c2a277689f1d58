ptk hotspots testdata/sqlite/nsys.sqlite
