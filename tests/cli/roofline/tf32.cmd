ptk roofline --precision tf32 -n 1 testdata/chrome/roofline.json
