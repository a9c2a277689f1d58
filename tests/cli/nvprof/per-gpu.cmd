ptk hotspots --value time testdata/nvprof/summary_per_gpu.txt
