ptk dot -o "$TMP_DIR/calls.svg" testdata/pstats/fractal.pstats 2>"$TMP_DIR/said"
status=$?
sed "s,$TMP_DIR/,," "$TMP_DIR/said"
ls "$TMP_DIR/calls.svg" 2>/dev/null
exit $status
