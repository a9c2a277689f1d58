ptk hotspots -f csv testdata/gperftools/heap_v2.txt
