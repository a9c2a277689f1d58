ptk info tests/fuzz/seeds/perfetto/pytorch_cut
