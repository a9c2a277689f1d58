# Ends are rounded down, so that what nests in picoseconds does in nanoseconds; and times that cannot be.
ptk tree --min-percent 0 tests/fuzz/seeds/xplane/subnanosecond; ptk hotspots tests/fuzz/seeds/xplane/extremes
