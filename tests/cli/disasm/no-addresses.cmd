ptk disasm main testdata/pstats/fractal.pstats
