ptk summary -t memory-curve -f svg testdata/chrome/overlap.json
