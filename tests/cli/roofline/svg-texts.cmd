python3 tests/check_charts.py "$PTK" <<'END'
roofline testdata/chrome/roofline.json
roofline --gpu H200 --by operator testdata/chrome/roofline.json
roofline --peak-tflops 6 testdata/chrome/roofline.json
roofline --flops sgemm=1e300 --bytes sgemm=1e-300 testdata/chrome/roofline.json
roofline testdata/nvprof/trace.csv testdata/nvprof/metrics.csv
roofline testdata/nvprof/trace.csv testdata/nvprof/metrics_wide.csv
roofline testdata/ncu/metrics.csv
roofline testdata/ncu/bytes_only.csv
roofline testdata/chrome/overlap.json
roofline testdata/chrome/paddle_case.json
roofline testdata/chrome/hostile_unescaped_quote_in_kernel_name.json
END
