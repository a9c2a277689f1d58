ptk diff --by structure testdata/recorded/etl.pstats testdata/recorded/etl_after.pstats
