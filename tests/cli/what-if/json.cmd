ptk what-if -f json -n 2 --scale DataLoader=4 testdata/chrome/overlap.json
