ptk what-if -n 3 --no-blocking-copies testdata/chrome/overlap.json
ptk what-if -n 3 --hide-communication testdata/chrome/overlap.json
ptk what-if -n 3 --data-ready testdata/chrome/overlap.json
ptk what-if -n 3 --even-steps testdata/chrome/overlap.json
ptk what-if -n 3 --launching 2 testdata/chrome/overlap.json
ptk what-if -n 3 --remove in:ProfilerStep#1 testdata/chrome/overlap.json
ptk what-if -n 3 --remove phase:dataloader testdata/chrome/overlap.json
ptk what-if -n 3 --scale kind:kernel=2 testdata/chrome/overlap.json
ptk what-if -n 3 --scale category:gemm=2 testdata/chrome/overlap.json
ptk what-if --scale category:nothing=2 testdata/chrome/overlap.json
