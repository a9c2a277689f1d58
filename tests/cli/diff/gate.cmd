# growth beyond a threshold is answer 1, unless it can be chance
printf 'main;a 100\nmain;b 1000\n' >"$TMP_DIR/before.folded"
printf 'main;a 110\nmain;b 1020\n' >"$TMP_DIR/chance.folded"
printf 'main;a 190\nmain;b 1200\n' >"$TMP_DIR/worse.folded"
for after in before chance worse; do
    ptk diff -o "$TMP_DIR/answer" --fail-above 2% "$TMP_DIR/before.folded" "$TMP_DIR/$after.folded"
    echo "total, $after: $?"
    ptk diff -o "$TMP_DIR/answer" --fail-function-above 2 "$TMP_DIR/before.folded" "$TMP_DIR/$after.folded"
    echo "functions, $after: $?"
done
ptk diff -o "$TMP_DIR/answer" --fail-function-above 15% --fail-min-percent 20 "$TMP_DIR/before.folded" "$TMP_DIR/worse.folded"
ptk diff --fail-above much "$TMP_DIR/before.folded" "$TMP_DIR/worse.folded"
