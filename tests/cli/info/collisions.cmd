ptk info testdata/pstats/dataclass_py311.pstats
