ptk amdahl --roof testdata/chrome/roofline.json
