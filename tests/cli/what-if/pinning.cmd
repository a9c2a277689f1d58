# A thread that pins what other processes made only asks the runtime: it holds nothing back when they are faster.
ptk what-if --data-ready testdata/chrome/pinning.json
ptk advise -n 1 testdata/chrome/pinning.json
