ptk amdahl --steps -n 4 testdata/chrome/overlap.json
