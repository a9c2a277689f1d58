for what in name filefunction file line address; do
    ptk hotspots --by $what testdata/pprof/inlined_recursion.pb
done
ptk callers --by line . testdata/pprof/inlined_recursion.pb
ptk hotspots --by line -f csv testdata/gperftools/go_heap.txt
ptk hotspots --by name testdata/pprof/unsymbolised.pb
ptk hotspots --by file testdata/pprof/unsymbolised.pb
