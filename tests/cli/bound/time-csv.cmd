ptk bound -f csv --time testdata/time/cpu.txt
