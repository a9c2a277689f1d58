ptk roofline -q testdata/nvprof/trace.csv
