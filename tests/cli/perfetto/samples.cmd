ptk tree testdata/perfetto/samples.pftrace
