for budget in 0 60 200 500; do
    ptk brief --budget $budget testdata/pstats/fractal.pstats >"$TMP_DIR/brief"
    echo "budget $budget: $(wc -l <"$TMP_DIR/brief") lines"
    [ $budget -eq 0 ] || [ "$(wc -c <"$TMP_DIR/brief")" -le $((3 * budget)) ] || echo "too long"
done
ptk brief --budget 60 testdata/pstats/fractal.pstats
