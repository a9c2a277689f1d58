ptk hotspots -n 8 testdata/v8-log/spool.log.gz
