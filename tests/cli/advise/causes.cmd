ptk advise testdata/chrome/layout-conversions.json
