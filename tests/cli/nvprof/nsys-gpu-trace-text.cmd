ptk hotspots testdata/nvprof/nsys_gpu_trace.txt
