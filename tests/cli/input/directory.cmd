ptk hotspots testdata
