ptk testdata/pstats/fractl.pstats || echo "status $?"
ptk hotspot x
