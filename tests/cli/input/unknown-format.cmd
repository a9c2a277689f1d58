ptk hotspots Makefile
