# What lay at an address changes: by a map over another, by a fork, by another program.
ptk tree tests/fuzz/seeds/perf-data/maps-change
