ptk hotspots testdata/perfetto/scheduler.pftrace
