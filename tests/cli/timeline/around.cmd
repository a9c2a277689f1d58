# Ranks 2 and 3 are on a host whose clock is 3 ms ahead; rank 1 is slow. On one clock, a collective has one end.
cd testdata/chrome/job
ptk timeline --around worst -o "$TMP_DIR/worst.svg" rank00* && xmllint --noout "$TMP_DIR/worst.svg" && echo accepted
grep -o 'aria-label="[^"]*"' "$TMP_DIR/worst.svg"
grep -o '>rank [0-9]*<' "$TMP_DIR/worst.svg" | sort | uniq -c
ptk timeline --around default_pg:1 --track 'stream' rank00* >"$TMP_DIR/one.svg"
grep -o 'aria-label="[^"]*"' "$TMP_DIR/one.svg"
sed -n '/<title>ncclDevKernel_AllReduce/ { n; s/<.*//; p }' "$TMP_DIR/one.svg"
ptk timeline --around 2:999 rank000* rank001*
ptk timeline --around worst rank000*
ptk timeline --around worst ../overlap.json
