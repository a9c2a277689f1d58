# A line cut within its number, a table whose head has more calls than its rows, one of shares that make up less than
# the whole, and a stack that goes on behind the cut: each is said, with how much is missing.
printf 'main;parse 120\nmain;emit 7654' | ptk hotspots
head -n 40 testdata/pstats-text/svc.txt | ptk hotspots -n 1
head -n 6 testdata/nvprof/summary.txt | ptk hotspots
head -n 10 testdata/goroutines/server.txt | ptk hotspots
head -n 3 testdata/perf/small.perf | ptk hotspots
head -n 20 testdata/perf/report-callee.txt | ptk hotspots
# the tree of nvprof's CPU samples, a trace without the notes below it, a run without its results, and the last kernel's metrics
head -n 4 testdata/nvprof/cpu_samples.txt | ptk hotspots -n 1
head -n 8 testdata/nvprof/trace_api.txt | ptk hotspots -n 1
{ cat testdata/nvprof/summary.txt; echo "==7== NVPROF is profiling process 7, command: ./b"; } | ptk hotspots -n 1
{
    printf '==1== Metric result:\nInvocations  Metric Name  Metric Description  Min  Max  Avg\nDevice "Tesla K20m (0)"\n'
    for kernel in a b c; do
        echo "    Kernel: $kernel(int)"
        for metric in flop_count_sp flop_count_dp; do echo "          1  $metric  Operations  5  5  5"; done
    done
} | sed '$d' | ptk hotspots -n 1
# cachegrind ends with its totals, Go says first how long a cycle is, and Java's profiles name each id last
printf 'cmd: ./a\nevents: Ir\nfl=a.c\nfn=f\n1 70\nfn=g\n2 30\n' | ptk hotspots -n 1
printf -- '--- mutex:\n' | ptk info | tail -n 3
printf -- '--- contentionz 1 ---\nformat = java\nresolution = microseconds\n 10 1 @ 0x1 0x2\n\n 0x1 a.B.c (B.java:1)\n' | ptk hotspots
