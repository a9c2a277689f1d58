ptk hotspots --value time testdata/sqlite/nsys.sqlite
