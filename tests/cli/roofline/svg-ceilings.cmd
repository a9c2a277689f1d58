# every ceiling is named, however little room there is between them
ptk roofline --flops 'CUDAFunctor_add=10' -f svg testdata/chrome/experts.json | grep -o '>[a-z0-9, ]*: [0-9.]* TFLOP/s<'
