# A form that is not asked for is that of the output's suffix.
for name in rows.csv rows.json rows.md rows.txt rows; do
    ptk hotspots -n 1 -o "$TMP_DIR/$name" testdata/pstats/fractal.pstats
    echo "$name: $(head -n 1 "$TMP_DIR/$name" | cut -c 1-40)"
done
ptk hotspots -n 1 -f csv -o "$TMP_DIR/rows.json" testdata/pstats/fractal.pstats
echo "rows.json, -f csv: $(head -n 1 "$TMP_DIR/rows.json" | cut -c 1-40)"
ptk amdahl -o "$TMP_DIR/curves.svg" testdata/pstats/fractal.pstats
echo "curves.svg: $(head -n 1 "$TMP_DIR/curves.svg" | cut -c 1-40)"
