for file in cycle_small strip_collide; do
    ptk flame -q --min-percent 0 testdata/pstats/$file.pstats | sed -n '/<\/style>/,/<script>/ { s/.*<\/style>/<svg>/; s/<script>.*/<\/svg>/; p }' |
        xmllint --format -
done
