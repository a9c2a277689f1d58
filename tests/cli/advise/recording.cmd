# where what the host takes leads, and much is recorded, the profiler's part is named
ptk advise -n 1 testdata/chrome/experts.json | grep 'Each step\|The run\|Recording'
ptk advise -n 1 -f json testdata/chrome/experts.json
ptk advise -n 1 --threshold recorded_per_s=116000 testdata/chrome/experts.json | grep -c Recording
true
