ptk hotspots testdata/gperftools/python.prof
ptk tree --min-percent 5 testdata/gperftools/python.prof
ptk hotspots --by module testdata/gperftools/python.prof
ptk hotspots -n 2 --no-fold-python testdata/gperftools/python.prof
