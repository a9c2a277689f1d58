# What a page carries of a timeline, decoded: with what is in its cells it is all that `ptk info` counts, at its times.
for file in overlap autograd roofline many_devices memory node; do
    python3 tests/check_page.py "$PTK" testdata/chrome/$file.json || exit
    python3 tests/check_page.py "$PTK" testdata/chrome/$file.json --page-size 1k || exit
done
ptk report -q testdata/chrome/node.json >"$TMP_DIR/a.html" && ptk report -q testdata/chrome/node.json | cmp - "$TMP_DIR/a.html"
