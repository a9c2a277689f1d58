ptk info testdata/text-stacks/ghc.json | head -1
ptk hotspots testdata/text-stacks/ghc.json
ptk tree --value bytes testdata/text-stacks/ghc.json
# cut; no tree; figures that are none
head -c 700 testdata/text-stacks/ghc.json | ptk hotspots -
printf '{"tick_interval":-1,"total_ticks":"x","cost_centres":[{"id":"x"},{"label":"a"},5]}' | ptk hotspots - || echo "exit $?"
printf '{"cost_centres":7,"profile":{"id":9000000000000000000,"ticks":-3,"alloc":1e30,"children":{}},"tick_interval":1}' | ptk hotspots -
