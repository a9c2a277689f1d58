ptk summary --table model --table memory testdata/chrome/jax.json
