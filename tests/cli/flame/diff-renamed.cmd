# A function that has another name, but the callers, the callees and the file of before, is one box.
printf 'main (a.py:1);load (a.py:5);parse (a.py:9) 40\nmain (a.py:1);load (a.py:5) 10\nmain (a.py:1);other (b.py:1) 5\n' >"$TMP_DIR/before.folded"
printf 'main (a.py:1);load_all (a.py:7);parse_line (a.py:11) 60\nmain (a.py:1);load_all (a.py:7) 10\nmain (a.py:1);other (b.py:1) 5\n' >"$TMP_DIR/after.folded"
ptk diff -n 0 "$TMP_DIR/before.folded" "$TMP_DIR/after.folded" | tail -5
ptk flame --diff "$TMP_DIR/before.folded" "$TMP_DIR/after.folded" | sed 's/>/&\n/g' |
    sed -n 's/.*data-name="\([^"]*\)".*data-self="\([0-9]*\)" data-total-before="\([0-9]*\)" data-self-before="\([0-9]*\)".*/\1 \2 before \3 \4/p'
