ptk hotspots testdata/pstats/pyinstrument_style.pstats
