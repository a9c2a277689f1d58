ptk overlap testdata/chrome/jax_calls.json
