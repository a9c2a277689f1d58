# what a command does not use is not loaded: these cost more than all else at the start
late='libxml2|libicu|libsqlite3|libdw|libelf|libcapstone'
names='libxml2.so.2 libxml2.so.16 libsqlite3.so.0 libdw.so.1'
# (the sanitizers' own library needs the runtime of C++ from the start)
LD_TRACE_LOADED_OBJECTS=1 "$PTK" | grep -q libasan || late="$late|libstdc" names="$names libstdc++.so.6"
LD_TRACE_LOADED_OBJECTS=1 "$PTK" | grep -cE "$late"
# and what cannot be loaded is told where it is needed, and only there
mkdir "$TMP_DIR/lib"
for name in $names; do
    : >"$TMP_DIR/lib/$name"
done
export LD_LIBRARY_PATH="$TMP_DIR/lib"
ptk flame -o "$TMP_DIR/lib/flame.svg" testdata/folded/small.folded || echo "status $?"
ptk report -o "$TMP_DIR/lib/report.html" testdata/folded/small.folded || echo "status $?"
ptk overlap -f svg -o "$TMP_DIR/lib/overlap.svg" testdata/chrome/overlap.json || echo "status $?"
ptk info testdata/sqlite/nsys.sqlite || echo "status $?"
ptk hotspots -n 2 testdata/folded/small.folded
ls "$TMP_DIR/lib" | grep -v libstdc
