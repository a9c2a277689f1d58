ptk hotspots --help
