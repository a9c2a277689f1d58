ptk bound testdata/chrome/queued-before.json
