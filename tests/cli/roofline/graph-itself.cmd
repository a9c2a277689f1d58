ptk roofline -n 5 -f csv testdata/graphs/one_file.replay.json.gz
