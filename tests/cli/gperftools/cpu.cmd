ptk hotspots testdata/gperftools/cpu_32be.prof
