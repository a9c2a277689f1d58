ptk roofline -f svg --l2-gbs 120 --l1-gbs 1000 testdata/nvprof/metrics_levels.csv | grep -o "L2:[^<]*\|1 in L[12]"
