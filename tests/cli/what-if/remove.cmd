ptk what-if -n 3 --remove '^nccl' --bandwidth 2x testdata/chrome/overlap.json
