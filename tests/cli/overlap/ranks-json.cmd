ptk overlap -f json -n 1 testdata/chrome/ranks/rank-0.json testdata/chrome/ranks/rank-1.json
