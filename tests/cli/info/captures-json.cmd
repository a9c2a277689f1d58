for command in info hotspots roofline; do
    ptk $command -q -f json --capture testdata/graphs/hip_order.capture.json.gz testdata/graphs/hip_order.replay.json.gz | sed -n 's/^"graph_/graph_/p'
done
