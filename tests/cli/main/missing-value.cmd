ptk hotspots --limit
