ptk overlap --begin 200us --end 700us testdata/chrome/overlap.json
ptk hotspots --begin 1s testdata/chrome/overlap.json
