ptk hotspots --value time testdata/perfetto/pytorch.pftrace
