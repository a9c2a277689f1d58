ptk hotspots nowhere/profile.out
