ptk roofline --clock-mhz 1500 -n 1 testdata/chrome/roofline.json
