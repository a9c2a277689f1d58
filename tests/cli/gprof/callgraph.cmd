# the rows of leaf add up to its 0.05 s; recursion and the cycle have calls, and no times of their own
ptk hotspots testdata/gprof/cycle.txt
ptk peek '^(leaf|fact|even)$' testdata/gprof/cycle.txt
ptk tree --min-percent 5 testdata/gprof/cycle.txt
ptk info testdata/gprof/cycle.txt
