ptk amdahl --part sgemm=2 --part Memcpy=4 -n 1 testdata/chrome/roofline.json
