ptk summary -q -t memory-curve -f svg testdata/chrome/hostile_runtime_before_first_host.json |
    sed -n '/<\/style>/,$ { s/.*<\/style>/<svg>/; p }' | xmllint --format -
