for file in testdata/pprof/malformed/*.pb; do
    ptk hotspots "$file"
    echo "exit $?" >&2
done
