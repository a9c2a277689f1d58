# functions that moved, and what changes in names by itself
printf 'main (old/m.py:1);f (old/m.py:3) 5\nmain (old/m.py:1);<lambda> (old/m.py:9) 3\nmain (old/m.py:1);<lambda> (old/m.py:12) 4\n<Foo at 0x7f01>;std::sort<int>(int*) 6\ng.constprop.0 9\n' >"$TMP_DIR/before.folded"
printf 'main (new/m.py:2);f (new/m.py:5) 5\nmain (new/m.py:2);<lambda> (new/m.py:11) 3\nmain (new/m.py:2);<lambda> (new/m.py:14) 4\n<Foo at 0x7f99>;std::sort<long>(long*) 6\ng.constprop.1 9\n' >"$TMP_DIR/after.folded"
ptk diff -n 0 -f csv "$TMP_DIR/before.folded" "$TMP_DIR/after.folded" | cut -d, -f 1-3,6-8,11-12
