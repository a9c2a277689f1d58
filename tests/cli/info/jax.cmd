ptk info testdata/chrome/jax.json
