# times of functions that call each other overlap: they are no sum, and nothing is concluded from them
ptk hotspots testdata/lprof/nested.lprof
ptk advise testdata/lprof/nested.lprof
ptk lines -n 2 testdata/lprof/nested.lprof
ptk hotspots --by line -n 3 testdata/lprof/nested.lprof
ptk hotspots --by file testdata/lprof/nested.lprof
ptk amdahl testdata/lprof/nested.lprof
