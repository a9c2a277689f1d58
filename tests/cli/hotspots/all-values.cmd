ptk hotspots --value all -n 3 --paths short testdata/recorded/matrix.callgrind
ptk hotspots --value all -n 2 -f json testdata/callgrind/small.callgrind
# all functions together are what callgrind says of the run
ptk hotspots --value all -n 0 -f csv testdata/recorded/matrix.callgrind | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
sums = [sum(int(row[key]) for row in rows) for key in list(rows[0])[5:-1]]
stated = [line for line in open("testdata/recorded/matrix.callgrind") if line.startswith("totals:")]
print(sums == [int(word) for word in stated[0].split()[1:]])'
ptk hotspots --value all -n 3 testdata/pprof/go_heap.pb.gz
ptk hotspots --value all -n 3 --focus makeRecord testdata/pprof/go_heap.pb.gz
ptk hotspots --value all -n 2 testdata/recorded/feed.cpuprofile
