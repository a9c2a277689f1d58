ptk bound testdata/time/sleep.txt
