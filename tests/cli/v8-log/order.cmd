# Stacks in order of time: the page shows what ran when.
ptk flame --order time -o "$TMP_DIR/v8.svg" testdata/v8-log/spool.log.gz && grep -c "<rect" "$TMP_DIR/v8.svg"
