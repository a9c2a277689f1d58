ptk hotspots testdata/perfetto/rocprofv3.pftrace
