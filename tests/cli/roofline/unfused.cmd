ptk roofline -n 12 testdata/chrome/unfused.json
