ptk roofline --gpu V100-SXM2 testdata/chrome/int8.json
