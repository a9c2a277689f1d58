ptk hotspots --value alloc_bytes -n 3 testdata/jfr/packed.jfr
