# A sum of runs does not hold how they differ: nothing is called significant that the runs themselves call noise.
t=$(mktemp -d) && trap 'rm -r "$t"' EXIT
for run in 1 2 3 4; do
    printf 'a;b %d\na;c %d\n' $((1000 + run * 200)) 3000 >"$t/before$run.folded"
    printf 'a;b %d\na;c %d\n' $((1150 + run * 200)) 3000 >"$t/after$run.folded"
done
ptk diff "$t/before1.folded" "$t/after1.folded" --before "$t/before2.folded" --after "$t/after2.folded" \
    --before "$t/before3.folded" --after "$t/after3.folded" --before "$t/before4.folded" --after "$t/after4.folded"
ptk merge -o "$t/before.pb.gz" "$t"/before?.folded
ptk merge -o "$t/half1.pb.gz" "$t"/after[12].folded
ptk merge -o "$t/half2.pb.gz" "$t"/after[34].folded
ptk merge -o "$t/after.pb.gz" "$t"/half?.pb.gz
ptk info "$t/after.pb.gz" | grep merged
ptk diff "$t/before.pb.gz" "$t/after.pb.gz"
