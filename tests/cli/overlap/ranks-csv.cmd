ptk overlap -f csv --memory 1k testdata/chrome/ranks/rank-0.json testdata/chrome/ranks/rank-1.json testdata/chrome/ranks/rank-2.json
