# A file that is not there may be one beside it.
ptk hotspots testdata/pstats/fractl.pstats || echo "status $?"
(cd testdata/lprof && ptk hotspots nestd.lprof) || echo "status $?"
ptk hotspots testdata/pstats/nothing-like-it || echo "status $?"
ptk hotspots no-such-folder/fractal.pstats || echo "status $?"
ptk diff testdata/pstats/fractal.pstats || echo "status $?"
ptk tree testdata/pstats/fractal.pstats testdata/pstats/fractal.pstats || echo "status $?"
