# residual calls are dotted: what lay between is not drawn
printf 'main;a;x 50\nmain;b;x 30\nmain;a;mid;leaf 400\nmain;b;mid;leaf 300\nmain;main;a 20\nrare 1\n' >"$TMP_DIR/small.folded"
for nodes in 0 3; do
    cd "$TMP_DIR" && ptk dot --style pprof --nodes $nodes small.folded
done
ptk dot --style pprof small.folded | dot -Tsvg | xmllint --noout - && echo accepted
