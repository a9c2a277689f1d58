ptk hotspots --value time testdata/xplane/jax.xplane.pb
