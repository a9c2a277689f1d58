ptk amdahl -n 4 testdata/chrome/roofline.json
