ptk amdahl --steps -n 1 -f json testdata/chrome/overlap.json
