# What is fastest to mend is often one call: parsing with Sscanf, strptime or gzip for each line. Own code that a
# library calls back (Node's loader of modules runs the program) is not the library's.
for file in logs.pb.gz etl_after.pstats feed.cpuprofile; do
    ptk advise -q testdata/recorded/$file | grep -E 'because|One function of a library|where|library-call'
done
ptk bound testdata/recorded/feed.cpuprofile | grep import
