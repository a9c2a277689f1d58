ptk overlap testdata/chrome/node.json
