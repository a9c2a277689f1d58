ptk brief testdata/chrome/unnamed-devices.json
