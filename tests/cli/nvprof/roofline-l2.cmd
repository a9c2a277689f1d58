ptk roofline --l2-gbs 120 --l1-gbs 1000 testdata/nvprof/metrics_levels.csv
