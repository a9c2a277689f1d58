ptk callers . -n 3 testdata/pstats/profile_module.pstats
