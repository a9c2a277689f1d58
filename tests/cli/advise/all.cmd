ptk advise --all testdata/chrome/roofline.json
