ptk summary -t launches -t queues -t memory-peaks testdata/chrome/graph_launch.json
