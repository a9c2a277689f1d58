ptk dot --root '^nothing$' testdata/pstats/mix_py311.pstats
