ptk summary testdata/chrome/overlap.json testdata/chrome/roofline.json
