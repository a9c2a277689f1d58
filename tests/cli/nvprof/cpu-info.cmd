ptk info testdata/nvprof/cpu_samples.txt
