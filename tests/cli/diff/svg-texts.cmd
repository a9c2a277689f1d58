python3 tests/check_charts.py "$PTK" <<'END'
diff testdata/pstats/mix_py27.pstats testdata/pstats/mix_py311.pstats
diff --cum testdata/pstats/mix_py27.pstats testdata/pstats/mix_py311.pstats
diff -n 0 testdata/pstats/fractal.pstats testdata/pstats/mix_py311.pstats
diff testdata/pstats/fractal.pstats testdata/pstats/fractal.pstats
diff testdata/pstats/empty.pstats testdata/pstats/weird_names_py311.pstats
diff testdata/pstats/weird_names_py311.pstats testdata/pstats/inf_nan.pstats
diff testdata/pstats/zero_time.pstats testdata/pstats/empty.pstats
diff testdata/pprof/go_heap.pb.gz testdata/pprof/go_heap.pb.gz
diff testdata/chrome/ranks/rank-0.json testdata/chrome/ranks/rank-1.json
diff --by structure testdata/structural/fused-norm.a.json.gz testdata/structural/fused-norm.b.json.gz
diff --by structure testdata/structural/gone.a.json.gz testdata/structural/gone.a.json.gz
END
