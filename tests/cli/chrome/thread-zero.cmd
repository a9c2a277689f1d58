# Thread 0 and thread 1 of process 1 are two.
ptk info testdata/chrome/thread_zero.json
ptk hotspots -f csv testdata/chrome/thread_zero.json
