cp testdata/pstats/cycle_small.pstats "$TMP_DIR/profile.out"
cd "$TMP_DIR" && "$PTK" hotspots -n 2
