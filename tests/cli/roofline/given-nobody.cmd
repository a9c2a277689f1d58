ptk roofline --flops relu=1e9 testdata/chrome/roofline.json
