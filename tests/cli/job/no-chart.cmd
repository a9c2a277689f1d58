# Two of four ranks without a whole step: there are no bars to draw.
ptk job -f svg -o - testdata/chrome/ranks/groups-0.json testdata/chrome/ranks/groups-1.json
