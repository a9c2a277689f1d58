cat testdata/time/cpu.txt testdata/time/sleep.txt | ptk info
