# A file too many is named.
file=testdata/pstats/fractal.pstats
for command in hotspots 'diff x' 'flame --diff -o x.svg x' 'dot --diff x' 'callers main' formats 'help tree'; do
    ptk $command $file stray.pstats || echo "status $?"
done
