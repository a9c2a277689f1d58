head -c 900 testdata/chrome/node.json | ptk hotspots -
