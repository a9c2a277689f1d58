ptk info testdata/chrome/node.json
