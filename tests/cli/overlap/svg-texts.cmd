python3 tests/check_charts.py "$PTK" <<'END'
overlap testdata/chrome/overlap.json
overlap --by step testdata/chrome/overlap.json
overlap --by step testdata/chrome/paddle_case.json
overlap testdata/chrome/node.json
overlap testdata/nvprof/trace.csv
overlap testdata/sqlite/nsys.sqlite
overlap testdata/chrome/hostile_unescaped_quote_in_kernel_name.json
END
