ptk info testdata/cpuprofile/small.cpuprofile
