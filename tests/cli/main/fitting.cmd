# Without a command the one that fits the file is run, and named.
for file in pstats/fractal.pstats chrome/overlap.json cpuprofile/small.cpuprofile time/cpu.txt flight-recorder/healthy_json; do
    ptk testdata/$file | head -n 2
done
ptk testdata/folded/small.folded -n 1 -q
ptk testdata/pstats/fractal.pstats --limt 1 || echo "status $?"
ptk - <testdata/folded/small.folded | head -n 2
ptk README.md || echo "status $?"
