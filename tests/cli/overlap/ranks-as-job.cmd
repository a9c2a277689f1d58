# ptk overlap says the same as ptk job of who came last and who waited, also where a host's clock is 5 ms ahead.
figures() {
    sed -En 's/.*"rank":([0-9]+),.*"collectives":([0-9]+),"last":([0-9]+),.*"made_wait":([0-9]+),.*"waited":([0-9]+).*/\1 \2 \3 \4 \5/p' | sort -n
}
for rank in 0 1 2 3; do
    gzip -dc testdata/chrome/job/rank00$rank.pt.trace.json.gz >"$TMP_DIR/as-job-rank$rank.json"
done
for rank in 2 3; do
    sed -i 's/"hostname": "[a-z0-9]*"/"hostname": "ahead"/
        s/"baseTimeNanoseconds": 1700000000000000000/"baseTimeNanoseconds": 1700000000005000000/' "$TMP_DIR/as-job-rank$rank.json"
done
ptk overlap -q -f json "$TMP_DIR"/as-job-rank?.json | figures >"$TMP_DIR/as-job.overlap"
ptk job -q -f json "$TMP_DIR"/as-job-rank?.json | figures >"$TMP_DIR/as-job.job"
cat "$TMP_DIR/as-job.overlap" && cmp "$TMP_DIR/as-job.overlap" "$TMP_DIR/as-job.job" && echo the same
