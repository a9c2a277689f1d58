# one part of a run in every command: by step, time, stage, process, thread, device
T=testdata/chrome/overlap.json
ptk diff -n 2 --step 1 $T $T
ptk callers --step 1 Memcpy $T
ptk convert --to folded --step 1 $T
ptk dot --within ProfilerStep#1 $T | grep -c label
ptk amdahl --step 1-2 -n 1 $T | head -1
ptk roofline --step 1 -n 1 testdata/chrome/roofline.json || echo "status $?"
ptk info --end 500us $T | grep 'stream'
ptk hotspots --thread 7 -n 1 $T
ptk hotspots --device 1 $T || echo "status $?"
ptk overlap --process nobody $T || echo "status $?"
ptk hotspots --stage backward --value host -n 2 testdata/chrome/phases.json
ptk hotspots --stage training $T || echo "status $?"
ptk merge --to folded --step 1 $T | head -2
# what a file cannot tell is said
ptk hotspots --rank 0 $T || echo "status $?"
ptk hotspots --step 1 testdata/pstats/fractal.pstats || echo "status $?"
ptk bound --focus-label user=me $T || echo "status $?"
