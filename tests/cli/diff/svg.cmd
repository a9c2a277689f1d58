ptk diff -n 5 -f svg testdata/pstats/mix_py27.pstats testdata/pstats/mix_py311.pstats |
    sed -n '/<\/style>/,$ { s/.*<\/style>/<svg>/; p }' | xmllint --format -
