# the nested events of a trace become stacks; calls are a value type
ptk convert --to pprof -o "$TMP_DIR/node.pb" testdata/chrome/node.json
ptk hotspots --value calls -n 3 "$TMP_DIR/node.pb"
ptk hotspots -n 3 "$TMP_DIR/node.pb"
