ptk hotspots -n 0 testdata/chrome/jax.json
ptk tree testdata/chrome/jax.json
