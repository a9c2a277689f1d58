# rocmProfileData: calls, a range that the program marked, kernels, a copy with its bytes, and what launched each.
ptk info testdata/sqlite/run.rpd; ptk hotspots --value time testdata/sqlite/run.rpd; ptk overlap testdata/sqlite/run.rpd | head -5
