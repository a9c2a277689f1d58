# Calls and what they launched, by the number that both have; copies by what XLA says of them.
ptk hotspots --by track testdata/xplane/jax.xplane.pb; ptk overlap testdata/xplane/jax.xplane.pb | head -24
