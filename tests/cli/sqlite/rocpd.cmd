# rocprofv3's own database: calls, marks by their texts, device work by stream.
ptk info testdata/sqlite/rocpd.db; ptk hotspots --value time testdata/sqlite/rocpd.db
