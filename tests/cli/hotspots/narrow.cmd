# on a narrow terminal names come before figures that follow from others, and keep file, line and function
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no terminal can be opened" >&2; exit 77; }
for columns in 80 120; do
    COLUMNS=$columns script -qec "$PTK hotspots --color never -n 4 testdata/pstats/fractal.pstats" /dev/null </dev/null | tr -d '\r'
done
COLUMNS=80 script -qec "$PTK lines --color never -n 1 testdata/pprof/go_heap.pb.gz" /dev/null </dev/null | tr -d '\r'
