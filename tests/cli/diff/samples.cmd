# what is sampled has an error of its own
printf 'main;a 100\nmain;b 50\nmain;gone 7\n' >"$TMP_DIR/before.folded"
printf 'main;a 160\nmain;c 50\nmain;b 52\n' >"$TMP_DIR/after.folded"
ptk diff "$TMP_DIR/before.folded" "$TMP_DIR/after.folded"
ptk diff -f csv --sort name -n 0 "$TMP_DIR/before.folded" "$TMP_DIR/after.folded"
ptk diff -f md -c "$TMP_DIR/before.folded" "$TMP_DIR/after.folded"
cd "$TMP_DIR" && ptk diff -f json -n 1 before.folded after.folded
