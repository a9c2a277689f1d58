# Events that share a pool's number with one of long before, and an event that is in another dict, too.
ptk hotspots testdata/torch-memory/shared_pool.pickle.gz; ptk info testdata/torch-memory/shared_pool.pickle.gz | grep '^peak\|^events\|^allocated'
