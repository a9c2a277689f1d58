ptk amdahl --roof --peak-tflops 6 -n 2 -f csv testdata/chrome/roofline.json
