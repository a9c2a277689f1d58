# Enough was free, in pieces; one request was larger than the device; and all was in use.
for file in testdata/torch-memory/oom_fragmented.pickle testdata/torch-memory/oom_huge.pickle tests/fuzz/seeds/torch-memory/oom_full; do
    ptk info $file | grep memory; ptk advise $file
done
