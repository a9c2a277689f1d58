ptk summary -t operator --no-detail testdata/chrome/roofline.json
