ptk overlap testdata/chrome/jax.json
