ptk hotspots testdata/pstats/malformed/huge_str.pstats
