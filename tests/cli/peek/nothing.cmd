ptk peek nothing_like_it testdata/pstats/mix_py311.pstats
