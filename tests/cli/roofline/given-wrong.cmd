ptk roofline --flops sgemm testdata/chrome/roofline.json
