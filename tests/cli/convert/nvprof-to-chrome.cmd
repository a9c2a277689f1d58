# what has no viewer of its own gets one, and nothing is lost on the way
ptk convert --to chrome -o "$TMP_DIR/trace.json" testdata/nvprof/trace.csv
ptk overlap -f csv testdata/nvprof/trace.csv >"$TMP_DIR/before"
ptk overlap -f csv "$TMP_DIR/trace.json" | cmp - "$TMP_DIR/before" && echo "the same overlap"
