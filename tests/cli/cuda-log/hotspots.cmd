ptk hotspots testdata/cuda-log/profile.log
