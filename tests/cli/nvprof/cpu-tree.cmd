ptk tree testdata/nvprof/cpu_samples.txt
