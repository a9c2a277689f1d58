ptk roofline --gpu MI300X testdata/chrome/no-device.json
