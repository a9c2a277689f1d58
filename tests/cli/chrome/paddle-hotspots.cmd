ptk hotspots -n 8 testdata/chrome/paddle_case.json
