ptk advise testdata/chrome/ranks
ptk advise testdata/chrome/ranks/rank-0.json testdata/chrome/ranks/rank-1.json
