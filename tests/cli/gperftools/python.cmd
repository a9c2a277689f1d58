ptk hotspots --no-symbols testdata/gperftools/python.prof
ptk tree --no-symbols --min-percent 5 testdata/gperftools/python.prof
ptk hotspots --no-symbols --by module testdata/gperftools/python.prof
ptk hotspots --no-symbols -n 2 --no-fold-python testdata/gperftools/python.prof
