ptk info testdata/perfetto/packet-loss.pftrace
