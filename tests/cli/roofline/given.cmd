ptk roofline --flops sgemm=4.3e9 --bytes sgemm=1e8 testdata/chrome/roofline.json
