# value types that not all have are left out, and said
ptk merge testdata/pprof/unpacked.pb testdata/pprof/units_weird.pb -o "$TMP_DIR/heap.pb"
ptk info "$TMP_DIR/heap.pb" | sed -n '/^value/,$p'
ptk merge testdata/pprof/go_heap.pb.gz testdata/folded/small.folded -o "$TMP_DIR/none.pb"
