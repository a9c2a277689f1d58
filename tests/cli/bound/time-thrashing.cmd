ptk bound --cpus 4 testdata/time/thrashing.txt
