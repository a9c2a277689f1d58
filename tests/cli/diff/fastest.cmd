# A side's disturbed runs are left out: the rest shows the difference that they hid.
run() { printf 'main;a %d\nmain;b %d\n' "$2" "$3" >"$TMP_DIR/$1.folded"; }
mkdir "$TMP_DIR/before" "$TMP_DIR/after"
n=0
for disturbed in 0 3 900 5 2 700 4 1500; do
    n=$((n + 1))
    run before/$n $((1000 + disturbed)) 4000
    run after/$n $((1000 + disturbed)) 4200
done
for share in 100 50 25 1; do
    ptk diff --fastest $share --fail-above 2% -n 1 "$TMP_DIR/before" "$TMP_DIR/after"
    echo "status $?"
done
ptk diff --fastest half "$TMP_DIR/before" "$TMP_DIR/after"
