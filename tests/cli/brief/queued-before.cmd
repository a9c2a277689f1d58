ptk brief testdata/chrome/queued-before.json
