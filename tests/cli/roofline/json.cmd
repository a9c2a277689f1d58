ptk roofline -f json -n 2 testdata/chrome/roofline.json
