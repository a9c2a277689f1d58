ptk tree testdata/cpuprofile/small.cpuprofile; ptk hotspots --value samples testdata/cpuprofile/small.cpuprofile
