# what grew is red, what shrank is green and below 0; functions that moved are one
printf 'main (old/m.py:1);load (old/m.py:3) 40\nmain (old/m.py:1);parse (old/m.py:9) 30\nmain (old/m.py:1);old (old/m.py:20) 30\n' >"$TMP_DIR/before.folded"
printf 'main (new/m.py:2);load (new/m.py:5) 90\nmain (new/m.py:2);parse (new/m.py:11) 10\nmain (new/m.py:2);new (new/m.py:30) 25\n' >"$TMP_DIR/after.folded"
ptk dot --diff "$TMP_DIR/before.folded" "$TMP_DIR/after.folded" | grep -- '\[label="'
