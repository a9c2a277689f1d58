ptk info testdata/xplane/jax.xplane.pb
