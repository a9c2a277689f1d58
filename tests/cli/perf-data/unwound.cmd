# Callers by the rules of the binary, from registers and bytes of the stack; without it there are none.
ptk tree --min-percent 0 --binary-path testdata/perf testdata/perf/frames.data
ptk info --binary-path testdata/perf testdata/perf/frames.data | grep stacks
ptk hotspots testdata/perf/frames.data
