# What other tools call it is answered with what ptk calls it, and what is named there is a command of ptk.
for habit in top stat annotate flamegraph web compare source memory query stats record; do
    ptk $habit profile.out || echo "status $?"
done
for habit in --top -http=:8080 -gv -n=5 -top --json=1; do
    ptk hotspots $habit testdata/pstats/fractal.pstats || echo "status $?"
done
echo "# Options of others that mean the same are understood, also with one dash."
for habit in -json -cum -flat -lines -sample_index=samples --sample_index=samples -nodecount=2 "-focus main.fib" -focus=main.fib \
    -tagfocus=a=b -min_percent=20 -output=/dev/stdout; do
    echo "$habit:" && ptk hotspots $habit -n 2 testdata/pprof/go_service.pb.gz | head -n 5
done
ptk -top testdata/pprof/go_service.pb.gz
ptk -n 5 testdata/pprof/go_service.pb.gz
ptk hotspots http://localhost:6060/debug/pprof/profile?seconds=30
ptk https://example.org/trace.json
# the commands that hints name are there
sed -n "s/.*'ptk \([a-z-]*\)[ '].*/\1/p" base/cli/habits.c | sort -u | while read -r name; do ptk help "$name" >/dev/null || echo "$name"; done
