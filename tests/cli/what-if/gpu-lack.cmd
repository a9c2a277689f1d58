ptk what-if --gpu H200 testdata/chrome/jax.json
