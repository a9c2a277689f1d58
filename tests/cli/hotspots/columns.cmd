# any column by its name in JSON, in every form; percentiles of single calls
T=testdata/chrome/overlap.json
ptk hotspots --columns name,calls,median,p95,p99,deviation -n 3 $T
ptk hotspots --columns name,p99,max -n 2 -f csv --value host $T
ptk hotspots --columns self,median -n 2 -f json --step 1 $T
ptk overlap --columns cause,idle -f md $T
ptk callees row --columns calls,self testdata/pstats/fractal.pstats
ptk tree --columns self,name -f csv testdata/folded/small.folded | head -3
ptk hotspots --columns self,nothing_like_it $T || echo "status $?"
ptk hotspots --columns p95 testdata/pstats/fractal.pstats || echo "status $?"
ptk hotspots --columns p95 --hide main $T || echo "status $?"
