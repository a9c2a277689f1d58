# Python 3.15's sampler: stacks begin with a thread, which is no function
ptk hotspots testdata/folded/sampled_python.folded
ptk labels testdata/folded/sampled_python.folded
printf 'tid:1;a.py:f:3;a.py:g:9 4\ntid:2;a.py:f:5 2\ntid:2 1\n' >"$TMP_DIR/two.folded"
ptk labels "$TMP_DIR/two.folded"
ptk hotspots --focus-label thread=1 "$TMP_DIR/two.folded"
