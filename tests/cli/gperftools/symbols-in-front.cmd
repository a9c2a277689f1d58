ptk hotspots testdata/gperftools/symbol_raw.txt
