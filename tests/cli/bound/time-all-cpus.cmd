ptk bound --cpus 2 testdata/time/two.txt
