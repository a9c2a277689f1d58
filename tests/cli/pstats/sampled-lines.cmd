# Python 3.15's sampler: keys have the line that ran, so a function is all rows of its name and file
ptk hotspots testdata/pstats/sampled_lines.pstats
ptk hotspots --value samples testdata/pstats/sampled_lines.pstats
ptk callers walk testdata/pstats/sampled_lines.pstats
ptk lines -n 2 testdata/pstats/sampled_lines.pstats
ptk info testdata/pstats/sampled_lines.pstats
ptk convert --to folded testdata/pstats/sampled_lines.pstats
