# grown, shrunk, gone, new; functions that moved to another line are the same
printf 'main (m.py:1);f (m.py:3) 50\nmain (m.py:1);f (m.py:3);g (m.py:7) 30\nmain (m.py:1);h (m.py:9) 20\nmain (m.py:1) 5\n' >"$TMP_DIR/before.folded"
printf 'main (m.py:2);f (m.py:4) 80\nmain (m.py:2);f (m.py:4);g (m.py:9) 10\nmain (m.py:2);new (n.py:8) 7\nmain (m.py:2) 5\n' >"$TMP_DIR/after.folded"
cd "$TMP_DIR" && ptk flame --diff --depth 3 before.folded after.folded |
    sed -n '/<\/style>/,/<script>/ { s/.*<\/style>/<svg>/; s/<script>.*/<\/svg>/; p }' | xmllint --format -
