# Each command that a brief names runs as it is printed.
cd testdata || exit
for file in chrome/overlap.json pstats/fractal.pstats pprof/go_service.pb.gz chrome/job; do
    ptk brief "$file" | sed -n 's/^next: //p' >"$TMP_DIR/next"
    while read -r next; do
        next_here=$(echo "$next" | sed "s, -o [a-z]*[.][a-z]*, -o $TMP_DIR/page,")
        (eval "$next_here" >/dev/null 2>&1 </dev/null; echo "$next: $?")
    done <"$TMP_DIR/next"
done
