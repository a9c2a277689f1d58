ptk info testdata/v8-log/spool.log.gz
