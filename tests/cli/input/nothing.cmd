ptk hotspots
