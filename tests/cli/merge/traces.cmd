# traces become call stacks, and add up as such
ptk merge testdata/chrome/overlap.json testdata/chrome/overlap.json | ptk hotspots -n 3
ptk hotspots -n 3 testdata/chrome/overlap.json
