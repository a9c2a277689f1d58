# The first version of the schema, without tracks, says the same.
ptk hotspots --value time -f csv testdata/sqlite/rocpd.db >"$TMP_DIR/rocpd.csv"
ptk hotspots --value time -f csv tests/fuzz/seeds/sqlite/rocpd.db | diff - "$TMP_DIR/rocpd.csv" && echo same
