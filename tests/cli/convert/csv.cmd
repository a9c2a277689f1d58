ptk convert --to csv testdata/folded/small.folded
ptk convert --to csv testdata/pstats/cycle_small.pstats
ptk convert --to csv testdata/chrome/overlap.json | head -n 6
