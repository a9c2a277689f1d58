ptk info tests/fuzz/seeds/otlp/length_prefixed
