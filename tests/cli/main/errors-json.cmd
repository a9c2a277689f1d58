# With -f json an error is an object, for each exit status that the manual names.
try() {
    ptk "$@" 2>&1 >/dev/null | tail -n 1
    ptk "$@" >/dev/null 2>&1
    status=$?
    echo "status $status, in the manual: $(ptk help ptk | sed -n "/^EXIT STATUS/,/^SEE/p" | grep -c "^    $status ")"
}
try hotspots -q -f json testdata/pstats/fractal.pstats
try callers -q -f json nothing_like_it testdata/pstats/fractal.pstats
try hotspots --nonsense -fjson testdata/pstats/fractal.pstats
try hotspots --format=json nowhere.json
try hotspots -q -f json testdata/pstats/malformed/cyclic_key_tuple.pstats
try overlap --format json testdata/pstats/fractal.pstats
try hotspots -q -f json -o /dev/full testdata/pstats/fractal.pstats
try nonsense -f json
ptk help ptk | sed -n '/^EXIT STATUS/,/^SEE/p' | grep -c '^    [0-9]  '
