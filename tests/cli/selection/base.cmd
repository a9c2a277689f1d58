# stack by stack: b grew by 6, c shrank by 4, d stayed, e is gone
printf 'a;b 10\na;c 5\na;d 7\n' >$TMP_DIR/now
printf 'a;b 4\na;c 9\na;d 7\ne 1\n' >$TMP_DIR/then
cd $TMP_DIR
ptk hotspots --base then now
ptk hotspots --diff-base then -f csv now
ptk tree -q --base then now
ptk traces -q --base then -n 2 now
ptk peek -q --base then a now
ptk hotspots --base now now
ptk hotspots --base missing now || echo "status $?"
cd - >/dev/null
ptk traces -n 1 --base testdata/pprof/go_heap.pb.gz testdata/pprof/labels.pb || echo "status $?"
ptk hotspots --base testdata/pstats/fractal.pstats testdata/pstats/fractal.pstats || echo "status $?"
# what stands within its callers is marked here, too
ptk hotspots -q --base testdata/pprof/go_init.pb.gz -n 9 testdata/pprof/go_init_again.pb.gz
