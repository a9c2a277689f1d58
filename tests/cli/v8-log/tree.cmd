ptk tree --mine --min-percent 2 testdata/v8-log/spool.log.gz
