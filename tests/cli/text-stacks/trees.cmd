# rows with what they call, rows with their own, and a tree of callers
for file in sample.txt deep-copy.txt allocations.txt pmcstat.txt ghc-ticks.prof ghc-shares.prof vtune.csv; do
    ptk info testdata/text-stacks/$file | head -1
    ptk hotspots -n 0 testdata/text-stacks/$file
done
ptk tree testdata/text-stacks/pmcstat.txt
ptk tree --value bytes testdata/text-stacks/ghc-ticks.prof
ptk hotspots --value time -n 2 testdata/text-stacks/ghc-shares.prof
ptk lines --show main testdata/text-stacks/sample.txt
