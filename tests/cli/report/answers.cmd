# The first sentence of a page: what no check applies to, or finds nothing in, begins with where most of it is.
for file in massif/app.massif pprof/go_heap.pb.gz perf/frames.data lprof/w_lines.lprof chrome/overlap.json; do
    ptk report -q testdata/$file | grep -oE 'class="lead">[^<]*'
done
