ptk tree testdata/gperftools/threadz.txt
