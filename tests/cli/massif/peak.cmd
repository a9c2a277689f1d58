# the tree begins with who allocated; callers stand below
ptk tree --min-percent 20 testdata/massif/app.massif
ptk info testdata/massif/app.massif
ptk hotspots --by file -n 3 testdata/massif/app.massif
