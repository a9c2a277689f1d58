# the legend counts what narrow boxes hold, too: the same whatever is drawn
for least in 0 0.1 30; do
    ptk flame -q --min-percent $least testdata/pstats/fractal.pstats | sed 's/<g class="legend">/\n&/' |
        sed -n '/^<g class="legend">/ s/<text[^>]*>\([^<]*\)<\/text>/\n\1\n/gp' | grep '%$' | paste -sd '|'
done
# by package: Go's, Node's and C++'s
legend() {
    ptk flame -q "$@" | sed 's/<g class="legend">/\n&/' | sed -n '/^<g class="legend">/ s/<text[^>]*>\([^<]*\)<\/text>/\n\1\n/gp' |
        grep -v '[<>]' | paste -sd '|'
}
legend testdata/gperftools/go_heap.txt
legend testdata/heapprofile/tree.heapprofile
printf 'main;std::sort<int>;cmp 5\nmain;boost::asio::run(int) 3\nmain;void boost::post<f> 3\n' | legend -
