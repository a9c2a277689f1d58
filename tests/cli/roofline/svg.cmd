ptk roofline -f svg testdata/nvprof/trace.csv testdata/nvprof/metrics.csv |
    sed -n '/<\/style>/,$ { s/.*<\/style>/<svg>/; p }' | xmllint --format - | grep -v minor
