# the rows of a table may stand before their schema: the same figures
sed -E 's/("schema":\{[^}]*\}),("data":\[(\[[^]]*\],?)*\])/\2,\1/g' testdata/firefox/gecko-34.json >"$TMP_DIR/turned.json"
cmp -s testdata/firefox/gecko-34.json "$TMP_DIR/turned.json" && echo 'nothing is turned'
for file in testdata/firefox/gecko-34.json "$TMP_DIR/turned.json"; do ptk hotspots -f csv "$file"; done
