ptk roofline --gpu rx7900 testdata/chrome/roofline.json
