ptk tree tests/fuzz/seeds/otlp/bad_indices
