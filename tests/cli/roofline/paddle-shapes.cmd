sed 's/"input_shapes": {}/"input_shapes": {"X":[[8192,8192]]}/' testdata/chrome/paddle_case.json |
    ptk roofline --peak-tflops 6
