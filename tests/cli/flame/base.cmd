# What one profile has more or less than another: boxes are as wide as their changes, either way; -c is
# with callees.
printf 'main;f 50\nmain;f;g 30\nmain;old 20\nmain;same 7\n' >"$TMP_DIR/before.folded"
printf 'main;f 20\nmain;f;g 90\nmain;new 5\nmain;same 7\n' >"$TMP_DIR/after.folded"
for cum in '' --cum; do
    ptk flame -q --base "$TMP_DIR/before.folded" $cum "$TMP_DIR/after.folded" |
        sed 's,</*title>,\n,g; s/<script/\n&/g; s/<rect class="\(h[0-9]\)"[^>]*height="17"/\n    \1\n/g' |
        sed -n '/^all/,$ { /<script/q; /[<>]/d; /^$/d; p; }'
done
ptk flame -q --base "$TMP_DIR/after.folded" -o "$TMP_DIR/same.svg" "$TMP_DIR/after.folded" || echo "status $?"
ls "$TMP_DIR/same.svg" 2>/dev/null
ptk flame --diff --base "$TMP_DIR/before.folded" "$TMP_DIR/after.folded" "$TMP_DIR/after.folded" || echo "status $?"
