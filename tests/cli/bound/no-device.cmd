ptk bound testdata/chrome/node.json
