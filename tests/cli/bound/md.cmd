ptk bound -f md --over device testdata/chrome/roofline.json
