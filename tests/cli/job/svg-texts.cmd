python3 tests/check_charts.py "$PTK" <<'END'
job testdata/chrome/job
END
