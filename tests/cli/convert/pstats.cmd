ptk convert --to pstats testdata/pprof/inlined_recursion.pb | ptk hotspots
