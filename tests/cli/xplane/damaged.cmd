# Cut off in a plane; and after a conversion of texts, which destroys it.
head -c 1700 testdata/xplane/jax.xplane.pb >"$TMP_DIR/cut.xplane.pb"
ptk hotspots "$TMP_DIR/cut.xplane.pb" 2>&1 | sed "s|$TMP_DIR/||"
printf '\012\357\277\275\357\277\275\006\010\002\022\015/device:TPU:0\032\357\277\275' >"$TMP_DIR/text.xplane.pb"
ptk hotspots "$TMP_DIR/text.xplane.pb" 2>&1 | sed "s|$TMP_DIR/||"
