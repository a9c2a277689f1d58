# What other tools call it is answered with what ptk calls it, and what is named there is a command of ptk.
for habit in top stat annotate flamegraph web compare source memory query stats record; do
    ptk $habit profile.out || echo "status $?"
done
for habit in --json --top -http=:8080 --sample_index=alloc_space -sample_index=1 -focus=main -diff_base=x --tagfocus -output \
    -n=5 -top; do
    ptk hotspots $habit testdata/pstats/fractal.pstats || echo "status $?"
done
ptk -top testdata/pprof/go_service.pb.gz
ptk -n 5 testdata/pprof/go_service.pb.gz
ptk hotspots http://localhost:6060/debug/pprof/profile?seconds=30
ptk https://example.org/trace.json
# the commands that hints name are there
sed -n "s/.*'ptk \([a-z-]*\)[ '].*/\1/p" base/cli/habits.c | sort -u | while read -r name; do ptk help "$name" >/dev/null || echo "$name"; done
