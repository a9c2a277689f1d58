# Each quantity has one value on a page, and no finding gains more than was lost.
python3 tests/check_figures.py "$PTK" testdata/chrome/overlap.json testdata/chrome/roofline.json testdata/chrome/uneven-steps.json testdata/xplane/jax.xplane.pb
