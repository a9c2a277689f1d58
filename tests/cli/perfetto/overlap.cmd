ptk overlap -n 3 testdata/perfetto/rocprofv3.pftrace
