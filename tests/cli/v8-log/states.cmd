ptk tree --min-percent 0 tests/fuzz/seeds/v8-log/small
