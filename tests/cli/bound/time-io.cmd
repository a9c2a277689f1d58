ptk bound --time testdata/time/io.txt
