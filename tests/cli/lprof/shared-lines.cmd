# One line's figures that several lists have, and some that are none.
ptk hotspots --by line testdata/lprof/shared_lines.lprof
