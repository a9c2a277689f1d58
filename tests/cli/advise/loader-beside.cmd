# Without the waits the run takes 55.51 ms in truth, 7.306 ms less: between the gain's ends, and no less than the gain.
ptk advise -q -f csv testdata/chrome/loader_beside.json.gz | grep synchronisation | sed 's/"[^"]*"//g' | cut -d, -f 2,9-11
