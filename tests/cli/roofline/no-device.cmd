ptk roofline testdata/chrome/no-device.json
