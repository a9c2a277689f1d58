ptk bound --cpus 4 testdata/time/cpu.txt
