# there and back: every function's figures, of every value, are what they were
for value in alloc_objects alloc_space inuse_objects inuse_space; do
    ptk convert --to pprof -o "$TMP_DIR/heap.pb.gz" testdata/pprof/go_heap.pb.gz
    ptk hotspots -n 0 -f csv --sort nfl --value $value testdata/pprof/go_heap.pb.gz >"$TMP_DIR/before"
    ptk hotspots -n 0 -f csv --sort nfl --value $value "$TMP_DIR/heap.pb.gz" | cmp - "$TMP_DIR/before" && echo "$value is the same"
done
ptk info "$TMP_DIR/heap.pb.gz" | grep -v heap.pb
