# Intel: which device is in no name, the arrows back say who waited.
ptk info testdata/chrome/unitrace.json
ptk tree --value device testdata/chrome/unitrace.json
ptk hotspots -f csv testdata/chrome/unitrace.json
