ptk roofline --by operator --peak-tflops 6 --link-gbs 100 testdata/chrome/roofline.json
