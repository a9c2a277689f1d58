# a profile without samples adds none, not even one without labels
ptk merge --to pprof -o "$TMP_DIR/all.pb" testdata/pprof/no_samples.pb testdata/pprof/labels.pb
ptk info "$TMP_DIR/all.pb" | grep -E '^(samples|records) '
ptk traces -n 0 "$TMP_DIR/all.pb"
