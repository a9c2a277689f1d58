ptk advise testdata/graphs/hip_order.replay.json.gz
