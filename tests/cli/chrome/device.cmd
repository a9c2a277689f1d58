ptk hotspots -n 6 --value device testdata/chrome/paddle_case.json
