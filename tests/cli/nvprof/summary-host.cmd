ptk hotspots --value host testdata/nvprof/summary.txt
