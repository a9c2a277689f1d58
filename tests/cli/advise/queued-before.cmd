ptk advise testdata/chrome/queued-before.json
