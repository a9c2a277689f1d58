# events without a category have none to be named by
ptk summary --table overview testdata/chrome/jax.json | head -n 8
