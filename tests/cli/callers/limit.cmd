ptk callers -n 2 --sort calls isinstance testdata/pstats/mix_py311.pstats
