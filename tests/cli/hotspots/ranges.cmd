ptk hotspots --value time -n 0 testdata/chrome/jax.json
ptk tree testdata/chrome/jax.json
