ptk info testdata/time/two.txt
