ptk hotspots testdata/gperftools/bad_cpu_depth_huge.prof
