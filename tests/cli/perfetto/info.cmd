ptk info testdata/perfetto/rocprofv3.pftrace
