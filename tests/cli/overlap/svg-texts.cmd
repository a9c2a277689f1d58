python3 tests/check_charts.py "$PTK" <<'END'
overlap testdata/chrome/overlap.json
overlap --by step testdata/chrome/overlap.json
overlap --by step testdata/chrome/paddle_case.json
overlap testdata/nvprof/trace.csv
overlap testdata/sqlite/nsys.sqlite
overlap testdata/chrome/hostile_unescaped_quote_in_kernel_name.json
overlap testdata/chrome/ranks/rank-0.json testdata/chrome/ranks/rank-1.json testdata/chrome/ranks/rank-2.json
overlap testdata/chrome/overlap.json testdata/chrome/paddle_case.json testdata/chrome/node.json
END
