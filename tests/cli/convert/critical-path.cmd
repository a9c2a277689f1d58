# The critical path is marked, with arrows where it changes the thread or stream; and what is read back
# is the same run, whose path is the same.
ptk convert --to chrome --critical-path -o "$TMP_DIR/path.json" testdata/chrome/overlap.json
grep -c '"critical":1' "$TMP_DIR/path.json"
grep '"critical_path"' "$TMP_DIR/path.json" | head -4
ptk critical-path -f csv testdata/chrome/overlap.json >"$TMP_DIR/before"
ptk critical-path -f csv "$TMP_DIR/path.json" | cmp - "$TMP_DIR/before" && echo the same path
ptk convert --to folded --critical-path testdata/chrome/overlap.json
