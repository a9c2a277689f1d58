: >"$TMP_DIR/empty"; ptk hotspots "$TMP_DIR/empty" 2>&1 | sed "s|$TMP_DIR/||"
