ptk overlap -f svg testdata/chrome/ranks/rank-*.json |
    sed -n '/<\/style>/,$ { s/.*<\/style>/<svg>/; p }' | xmllint --format -
