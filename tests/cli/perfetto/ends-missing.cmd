ptk info tests/fuzz/seeds/perfetto/ends_missing
