# labels of samples go along, texts and numbers
ptk labels testdata/pprof/labels.pb >"$TMP_DIR/before"
ptk convert --to pprof -o "$TMP_DIR/again.pb" testdata/pprof/labels.pb
ptk labels "$TMP_DIR/again.pb" | diff "$TMP_DIR/before" - && echo "the same labels"
ptk convert --to pprof testdata/gperftools/heap_v2.txt | ptk labels
ptk convert --to pprof testdata/pprof/labels.pb | ptk hotspots
