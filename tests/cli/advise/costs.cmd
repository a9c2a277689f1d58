# Overhead: time outside your own code, by class and culprit: of a Go service that the collector holds up, ...
ptk advise testdata/pprof/go_service.pb.gz
ptk bound testdata/pprof/go_service.pb.gz | sed -n '/no work/,/^$/p'
ptk bound -f json testdata/pprof/go_service.pb.gz | grep -c '"class"'
# ... of stacks in which classes nest: the outermost counts, but the collector's time is its own, ...
printf '%s\n' 'main;encoding/json.Marshal;runtime.mallocgc;runtime.gcAssistAlloc 30' \
    'main;encoding/json.Marshal;runtime.mallocgc 20' 'main;work 40' 'main;work;malloc;__lll_lock_wait 10' |
    ptk advise --from folded - | sed -n '4,$p'
# ... and of a profile of Python's that knows no stacks, in which only functions' own time is told.
ptk advise --threshold overhead=2% testdata/pstats/fractal.pstats | sed -n '4,$p'
