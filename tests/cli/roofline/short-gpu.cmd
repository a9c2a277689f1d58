ptk roofline --gpu mi300 -f csv testdata/chrome/roofline.json
