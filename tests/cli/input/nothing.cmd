cd "$(mktemp -d -p "$TMP_DIR")" && ptk hotspots
