ptk hotspots testdata/gperftools/contentionz.txt
