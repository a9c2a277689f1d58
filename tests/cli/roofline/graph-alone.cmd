ptk roofline testdata/graphs/hip_order.replay.json.gz
