ptk roofline testdata/chrome/unfused-attention.json
