ptk roofline --l1-gbs 10000 testdata/nvprof/trace.csv testdata/nvprof/metrics.csv
