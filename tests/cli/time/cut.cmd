head -4 testdata/time/cpu.txt | ptk info
