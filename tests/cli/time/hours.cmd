sed "s/): 0:01.47/): 1:00:01.47/" testdata/time/cpu.txt | ptk bound -f csv
