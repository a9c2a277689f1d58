# of calls without stacks: each function keeps its own time
for file in pstats/fractal.pstats recorded/matrix.callgrind; do
    ptk hotspots -n 0 -f csv testdata/$file >"$TMP_DIR/calls.csv"
    for format in folded pprof speedscope; do
        ptk convert --to $format -o "$TMP_DIR/stacks" testdata/$file
        ptk hotspots -q -n 0 -f csv "$TMP_DIR/stacks" >"$TMP_DIR/stacks.csv"
        python3 - "$TMP_DIR/calls.csv" "$TMP_DIR/stacks.csv" <<END
import collections, csv, sys
def own(path):
    sums = collections.Counter()
    for row in csv.DictReader(open(path)):
        sums[row["name"]] += int(row["self"])
    return sums
print("$format", sum(own(sys.argv[2]).values()), own(sys.argv[1]) == own(sys.argv[2]))
END
    done
done
ptk convert -q --to folded --focus noise testdata/pstats/fractal.pstats | tail -n 2
