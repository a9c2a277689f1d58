ptk roofline -f csv testdata/chrome/layout-conversions.json
