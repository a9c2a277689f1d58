ptk roofline --by operator testdata/graphs/hip_order.replay.json.gz testdata/graphs/hip_order.capture.json.gz
