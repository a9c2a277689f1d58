python3 tests/check_charts.py "$PTK" <<'END'
amdahl testdata/chrome/overlap.json
amdahl --target 1.5 --part escape_time=4 testdata/pstats/fractal.pstats
amdahl --target 1000 testdata/pstats/fractal.pstats
amdahl --cum -n 0 testdata/pstats/fractal.pstats
amdahl --roof --steps testdata/chrome/overlap.json
amdahl testdata/pstats/weird_names_py311.pstats
amdahl testdata/pstats/zero_time.pstats
amdahl testdata/pstats/inf_nan.pstats
amdahl testdata/pprof/go_heap.pb.gz
amdahl testdata/chrome/node.json
amdahl testdata/chrome/hostile_unescaped_quote_in_kernel_name.json
END
