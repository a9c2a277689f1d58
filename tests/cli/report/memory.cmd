# The page of a memory snapshot has what was allocated and reserved over time: the most of it is the peak that info tells.
for file in leak_between_steps steady oom_fragmented; do
    [ -e testdata/torch-memory/$file.pickle ] || continue
    ptk report -q testdata/torch-memory/$file.pickle | grep -oE '"name":"[a-z]+ bytes".*"most":[0-9.e+]*'
    ptk info -q -f json testdata/torch-memory/$file.pickle | tr -d ' \n' | grep -oE '"(peak|reserved)":[0-9]+' | sort -u
done
