ptk roofline --by category testdata/chrome/roofline.json
