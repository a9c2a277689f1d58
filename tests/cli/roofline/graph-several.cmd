ptk roofline --by operator testdata/graphs/twins.replay.json.gz --capture testdata/graphs/twins.capture.json.gz
