ptk roofline -f svg --l2-gbs 120 testdata/nvprof/metrics_levels.csv | grep -o "L2[^<]*\|h3 c3"
