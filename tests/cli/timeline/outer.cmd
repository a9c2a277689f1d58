# Of five levels the outermost two are nearly one event each.
cat >"$TMP_DIR/nested.json" <<END
[{"ph":"X","pid":1,"tid":1,"name":"main","ts":0,"dur":100},
 {"ph":"X","pid":1,"tid":1,"name":"run","ts":0,"dur":98},
 {"ph":"X","pid":1,"tid":1,"name":"load","ts":0,"dur":40},
 {"ph":"X","pid":1,"tid":1,"name":"train","ts":40,"dur":60},
 {"ph":"X","pid":1,"tid":1,"name":"forward","ts":40,"dur":30},
 {"ph":"X","pid":1,"tid":1,"name":"matmul","ts":45,"dur":20}]
END
for depth in 5 4 2 1; do
    ptk timeline --depth $depth "$TMP_DIR/nested.json" |
        grep -o '[^>]*counted in paler[^<]*\|<title>[a-z]*'
done
