# Enough was free, in pieces; and all was in use.
for file in testdata/torch-memory/oom_fragmented.pickle tests/fuzz/seeds/torch-memory/oom_full; do
    ptk info $file | grep memory; ptk advise $file
done
