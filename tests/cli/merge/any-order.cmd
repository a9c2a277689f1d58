# whatever the order and the grouping, the same bytes
b=testdata/pprof/go_heap.pb.gz
c=testdata/pstats/recursion_py311.pstats d=testdata/pstats/fractal.pstats e=testdata/pstats/mix_py311.pstats
f=testdata/folded/small.folded
same() { # what, three profiles
    ptk merge -q "$2" "$3" "$4" >"$TMP_DIR/flat" || return
    ptk merge -q "$4" "$2" "$3" | cmp - "$TMP_DIR/flat" || return
    ptk merge -q "$2" "$3" >"$TMP_DIR/left" && ptk merge -q "$TMP_DIR/left" "$4" | cmp - "$TMP_DIR/flat" || return
    ptk merge -q "$3" "$4" >"$TMP_DIR/right" && ptk merge -q "$2" "$TMP_DIR/right" | cmp - "$TMP_DIR/flat" || return
    echo "$1: the same"
}
same pstats $c $d $e
same pprof $b $b $b
same folded $f $f $f
