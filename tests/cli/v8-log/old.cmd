# Logs before Node 8.5 have quotes, and code without a time.
ptk tree --min-percent 0 tests/fuzz/seeds/v8-log/old
