ptk hotspots testdata/pstats/malformed/cyclic_key_tuple.pstats
