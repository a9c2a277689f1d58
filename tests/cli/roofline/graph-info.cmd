ptk info testdata/graphs/sizes.replay.json.gz --capture testdata/graphs/sizes.capture.json.gz | head -5
