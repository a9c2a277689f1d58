ptk hotspots --limt 5 x
