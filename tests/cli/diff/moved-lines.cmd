# three lines inserted above comprehensions: each is held against its own, not against what stood on its line
printf 'main (m.py:1);gen (m.py:16);<listcomp> (m.py:19) 90\nmain (m.py:1);parse (m.py:20);<listcomp> (m.py:22) 50\nmain (m.py:1);show (m.py:30);<listcomp> (m.py:31) 7\n' >"$TMP_DIR/before.folded"
printf 'main (m.py:1);gen (m.py:19);<listcomp> (m.py:22) 90\nmain (m.py:1);parse (m.py:23);<listcomp> (m.py:25) 50\nmain (m.py:1);show (m.py:33);<listcomp> (m.py:34) 7\n' >"$TMP_DIR/after.folded"
ptk diff -n 0 "$TMP_DIR/before.folded" "$TMP_DIR/after.folded"
# one of them is new: the others are known by how far their neighbours moved
printf 'main (m.py:1);gen (m.py:19);<listcomp> (m.py:22) 90\nmain (m.py:1);first (m.py:23);<listcomp> (m.py:24) 40\nmain (m.py:1);parse (m.py:25);<listcomp> (m.py:27) 50\nmain (m.py:1);show (m.py:35);<listcomp> (m.py:36) 7\n' >"$TMP_DIR/after.folded"
ptk diff -n 0 -f csv "$TMP_DIR/before.folded" "$TMP_DIR/after.folded" | cut -d, -f 1,3,7,8,11,12,20
# nothing but order says which of two is the one that is left
printf '<module> (m.py:1);f (m.py:5) 30\n<module> (m.py:1);f (m.py:9) 20\n' >"$TMP_DIR/before.folded"
printf '<module> (m.py:1);f (m.py:7) 21\n' >"$TMP_DIR/after.folded"
ptk diff -n 0 "$TMP_DIR/before.folded" "$TMP_DIR/after.folded"
