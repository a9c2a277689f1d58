ptk roofline --by operator testdata/graphs/annotated.replay.json.gz testdata/graphs/annotated.capture.json.gz
