# A line cut within its number, a table whose head has more calls than its rows, one of shares that make up less than
# the whole, and a stack that goes on behind the cut: each is said, with how much is missing.
printf 'main;parse 120\nmain;emit 7654' | ptk hotspots
head -n 40 testdata/pstats-text/svc.txt | ptk hotspots -n 1
head -n 6 testdata/nvprof/summary.txt | ptk hotspots
head -n 10 testdata/goroutines/server.txt | ptk hotspots
head -n 3 testdata/perf/small.perf | ptk hotspots
head -n 20 testdata/perf/report-callee.txt | ptk hotspots
