ptk hotspots -n 8 testdata/chrome/node.json
