head -c 500 tests/fuzz/seeds/otlp/v1_8 | ptk hotspots -
