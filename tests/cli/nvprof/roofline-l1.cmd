ptk roofline -f json --l2-gbs 1200 --l1-gbs 250 testdata/nvprof/metrics_levels.csv
