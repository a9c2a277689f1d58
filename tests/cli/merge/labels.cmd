# labels and lines go along, and profiles without labels do not mind
ptk merge testdata/pprof/labels.pb testdata/pprof/labels.pb -o "$TMP_DIR/twice.pb" && ptk labels "$TMP_DIR/twice.pb"
ptk merge -q testdata/pprof/labels.pb testdata/folded/small.folded | ptk merge - testdata/perf/small.perf >"$TMP_DIR/left"
ptk merge -q testdata/perf/small.perf testdata/folded/small.folded | ptk merge - testdata/pprof/labels.pb >"$TMP_DIR/right"
cmp "$TMP_DIR/left" "$TMP_DIR/right" && ptk hotspots -n 3 "$TMP_DIR/left"
