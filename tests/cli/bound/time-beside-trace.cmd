ptk bound testdata/chrome/overlap.json --time testdata/time/cpu.txt
