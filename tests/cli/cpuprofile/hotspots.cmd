ptk hotspots testdata/cpuprofile/small.cpuprofile
