ptk labels testdata/gperftools/heap_v2.txt
