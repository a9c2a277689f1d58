ptk critical-path --step 2 testdata/chrome/overlap.json
ptk hotspots --step 2 -n 4 testdata/chrome/overlap.json
ptk tree --step 2 --depth 2 testdata/chrome/overlap.json
ptk what-if --step 2 --remove "^nccl" testdata/chrome/overlap.json | head -2
ptk bound --step 2 testdata/chrome/overlap.json | head -1
ptk advise --step 2 testdata/chrome/overlap.json | head -9
