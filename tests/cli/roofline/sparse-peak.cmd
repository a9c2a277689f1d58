ptk roofline --peak-tflops 140 --peak-gbs 800 -n 1 testdata/chrome/roofline.json
