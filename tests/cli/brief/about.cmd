ptk brief --about escape_time testdata/pstats/fractal.pstats
ptk brief --about StreamSync testdata/chrome/overlap.json
ptk brief --about nothing_like_it testdata/chrome/overlap.json 2>&1
echo "status $?"
