ptk overlap testdata/chrome/ranks/rank-2.json testdata/chrome/ranks/rank-0.json testdata/chrome/ranks/rank-1.json
