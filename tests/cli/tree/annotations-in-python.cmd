ptk tree testdata/chrome/phases.json
