# py-spy: three rows of bar and foo would have none of their totals
printf '<module> (a.py:40);foo (a.py:10);bar (b.py:3) 12\n<module> (a.py:40);foo (a.py:12);bar (b.py:4) 8\n<module> (a.py:40);baz (a.py:30);<lambda> (a.py:31) 5\n<module> (a.py:40);baz (a.py:33);<lambda> (a.py:33) 2\n<module> (a.py:38) 1\n' >"$TMP_DIR/ran.folded"
ptk hotspots "$TMP_DIR/ran.folded"
ptk callers 'b.py(bar)' "$TMP_DIR/ran.folded"
ptk lines -n 2 "$TMP_DIR/ran.folded"
ptk hotspots --by line -n 2 "$TMP_DIR/ran.folded"
ptk info "$TMP_DIR/ran.folded" | tail -n 3
# austin
printf 'P1;T2;a.py:<module>:40;a.py:foo:10;b.py:bar:3 12\nP1;T2;a.py:<module>:40;a.py:foo:12;b.py:bar:4 8\n' | ptk hotspots -
# py-spy --function: where they begin, so that two of one name are two
printf '<module> (a.py:1);__init__ (a.py:3) 4\n<module> (a.py:1);__init__ (a.py:9) 5\n' | ptk hotspots -
# no module's code: several lines of one function
printf 'run (a.py:3);work (a.py:9) 4\nrun (a.py:3);work (a.py:10) 5\n' | ptk hotspots -
