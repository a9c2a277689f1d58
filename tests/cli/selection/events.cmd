# of events: what matches, what runs inside, and the device work launched there
T=testdata/chrome/phases.json
ptk overlap --focus 'SGD' -f csv $T
ptk overlap --ignore '## backward ##' -f csv $T
ptk overlap --stage backward --by step -f csv $T
# what is hidden launches in its caller's name
ptk critical-path --hide 'cudaLaunchKernel' -n 3 $T
ptk convert --to chrome --focus '## backward ##' $T | ptk hotspots --value host -
ptk advise --show nothing_like_it $T || echo "status $?"
ptk roofline --hide ncclDev testdata/chrome/overlap.json --flops .=1e9 -n 2
ptk timeline --focus '## backward ##' $T | grep -c '<rect'
