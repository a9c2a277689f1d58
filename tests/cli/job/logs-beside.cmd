# Logs beside traces of the same ranks: who hangs comes first; the figures are those of the traces.
cd testdata
ptk job chrome/job flight-recorder/not_started | head -4
ptk job -f csv chrome/job flight-recorder/not_started >"$TMP_DIR/both.csv" && ptk job -f csv chrome/job | cmp - "$TMP_DIR/both.csv"
ptk map -o "$TMP_DIR/traces.part" chrome/job && ptk map -o "$TMP_DIR/logs.part" flight-recorder/not_started &&
    ptk job "$TMP_DIR/logs.part" "$TMP_DIR/traces.part" | head -1
ptk job flight-recorder/not_started flight-recorder/group_order
