ptk roofline --gpu H100 testdata/chrome/roofline.json
