# the name decides, and the same profile gives the same bytes
ptk convert --to pprof -o "$TMP_DIR/a.pb.gz" testdata/folded/small.folded
ptk convert --to pprof -o "$TMP_DIR/b.gz" testdata/folded/small.folded
ptk convert --to pprof testdata/folded/small.folded >"$TMP_DIR/plain.pb"
cmp "$TMP_DIR/a.pb.gz" "$TMP_DIR/b.gz" && gzip -dc "$TMP_DIR/a.pb.gz" | cmp - "$TMP_DIR/plain.pb" && echo "same bytes"
ls "$TMP_DIR" | grep -c '\.gz\.'
