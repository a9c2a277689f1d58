python3 tests/check_charts.py "$PTK" <<'END'
summary -t steps testdata/chrome/overlap.json
summary -t steps testdata/chrome/paddle_case.json
summary -t steps testdata/chrome/node.json
summary -t memory-curve testdata/chrome/hostile_nan_blocks_per_sm.json
summary -t memory-curve testdata/chrome/hostile_runtime_before_first_host.json
summary -t memory-curve testdata/chrome/memory.json
summary testdata/chrome/ranks/rank-0.json testdata/chrome/ranks/rank-1.json
summary testdata/chrome/overlap.json testdata/chrome/paddle_case.json testdata/chrome/node.json
END
