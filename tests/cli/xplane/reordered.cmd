# A plane's name behind its lines, as protobuf allows: the same answer.
ptk hotspots -n 0 -f csv testdata/xplane/jax.xplane.pb >"$TMP_DIR/usual.csv"
ptk hotspots -n 0 -f csv testdata/xplane/reordered.xplane.pb | cmp - "$TMP_DIR/usual.csv" && echo the same
