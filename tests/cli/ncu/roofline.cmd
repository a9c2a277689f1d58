ptk roofline --gpu "GTX 1080 Ti" testdata/ncu/metrics.csv
