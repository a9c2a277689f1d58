ptk summary -q -t memory-curve -f svg testdata/chrome/memory.json |
    sed -n '/<\/style>/,$ { s/.*<\/style>/<svg>/; p }' | xmllint --format -
