ptk amdahl testdata/pstats/empty.pstats
