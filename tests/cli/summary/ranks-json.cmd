ptk summary -f json testdata/chrome/ranks/rank-2.json testdata/chrome/ranks/rank-1.json
