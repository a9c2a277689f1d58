ptk roofline --peak-tflops 2 --peak-gbs 1 -n 2 testdata/chrome/roofline.json
