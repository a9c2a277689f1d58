ptk amdahl -n 7 -f svg testdata/chrome/overlap.json |
    sed -n '/<\/style>/,$ { s/.*<\/style>/<svg>/; p }' | xmllint --format -
