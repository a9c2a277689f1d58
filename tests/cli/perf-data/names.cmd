# Code that was made while the program ran has its names in perf-PID.map, the kernel's in a copy of kallsyms:
# where --binary-path says so, and nowhere else.
ptk tree tests/fuzz/seeds/perf-data/jit
ptk tree --binary-path testdata/perf/names tests/fuzz/seeds/perf-data/jit
