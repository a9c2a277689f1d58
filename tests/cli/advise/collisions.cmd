ptk advise testdata/pstats/strip_collide.pstats
