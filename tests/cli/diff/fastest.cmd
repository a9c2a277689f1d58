# A side's disturbed runs are left out: the rest shows the difference that they hid.
run() { printf 'main;a %d\nmain;b %d\n' "$2" "$3" >"$TMP_DIR/$1.folded"; }
mkdir "$TMP_DIR/fastest-before" "$TMP_DIR/fastest-after"
n=0
for disturbed in 0 3 900 5 2 700 4 1500; do
    n=$((n + 1))
    run fastest-before/$n $((1000 + disturbed)) 4000
    run fastest-after/$n $((1000 + disturbed)) 4200
done
for share in 100 50 25 1; do
    ptk diff --fastest $share --fail-above 2% -n 1 "$TMP_DIR/fastest-before" "$TMP_DIR/fastest-after"
    echo "status $?"
done
ptk diff --fastest half "$TMP_DIR/fastest-before" "$TMP_DIR/fastest-after"
