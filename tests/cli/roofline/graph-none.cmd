ptk roofline --capture testdata/chrome/roofline.json testdata/graphs/hip_order.replay.json.gz
