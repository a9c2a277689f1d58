# Members in another order, and a list of the program's own that shares events: the same figures.
for name in rearranged leak_between_steps; do
    ptk hotspots --by line --value leak testdata/torch-memory/$name.pickle | head -5
    ptk info testdata/torch-memory/$name.pickle | grep '^peak\|^allocated\|^blocks'
done
