ptk flame --icicle --colors heat --width 400 --depth 2 testdata/pstats/cycle_small.pstats |
    sed -n '/<\/style>/,/<script>/ { s/.*<\/style>/<svg>/; s/<script>.*/<\/svg>/; p }' | xmllint --format -
