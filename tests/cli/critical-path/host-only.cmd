ptk critical-path testdata/chrome/node.json
