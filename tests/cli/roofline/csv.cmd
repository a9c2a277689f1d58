ptk roofline --gpu h100\ pcie -f csv testdata/chrome/roofline.json
