ptk diff --value samples testdata/pprof/unpacked.pb testdata/perf/small.perf
