# nothing to show is no answer for people: one sentence, and status 4; to a program an empty table is one
for command in 'hotspots' 'hotspots -f json' tree bound advise flame 'convert --to folded' 'critical-path' report timeline; do
    ptk $command -o - testdata/pstats/empty.pstats || echo "$command: $?"
done
echo '{"traceEvents":[{"ph":"C","pid":1,"name":"m","ts":1,"args":{"a":3}},{"ph":"C","pid":1,"name":"m","ts":9,"args":{"a":5}}]}' >"$TMP_DIR/counters.json"
ptk hotspots - <"$TMP_DIR/counters.json" || echo $?
ptk timeline - <"$TMP_DIR/counters.json" | grep -c 'height="140"'
ptk info testdata/pstats/empty.pstats | grep functions
