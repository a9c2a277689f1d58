ptk summary -f svg testdata/chrome/overlap.json
