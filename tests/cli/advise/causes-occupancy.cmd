ptk advise testdata/chrome/low-occupancy.json
