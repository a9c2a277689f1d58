ptk summary -t launches -t kernel-shapes -t copies testdata/chrome/jax_calls.json
