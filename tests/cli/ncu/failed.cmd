ptk info testdata/ncu/failed.txt
