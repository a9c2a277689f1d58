# A group's counters weigh what they have grown by since the sample before.
ptk hotspots -f csv tests/fuzz/seeds/perf-data/leader-sampling
