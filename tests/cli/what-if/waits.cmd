for change in --no-sync --run-ahead; do ptk what-if -n 3 $change 'Synchronize|step|Step' testdata/chrome/overlap.json; done
