ptk what-if -n 3 --data-ready testdata/chrome/hostile_runtime_before_first_host.json
