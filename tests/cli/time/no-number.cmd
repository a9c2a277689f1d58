sed "s/faults: 0/faults: many/" testdata/time/cpu.txt | ptk info
