ptk timeline --step 2 --track stream testdata/chrome/overlap.json |
    sed -n '/<\/style>/,$ { s/.*<\/style>/<svg>/; p }' | xmllint --format -
