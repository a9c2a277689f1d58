ptk summary -t steps -f svg testdata/chrome/overlap.json |
    sed -n '/<\/style>/,$ { s/.*<\/style>/<svg>/; p }' | xmllint --format -
