# Whose work launches of graphs did: the captured operators, which add up to the kernels; without a capture nothing.
replay=testdata/graphs/sizes.replay.json.gz
ptk summary -t graphs -t kernel --by category --capture testdata/graphs/sizes.capture.json.gz $replay
ptk summary -t graphs $replay
ptk summary --capture testdata/graphs/sizes.capture.json.gz $replay | grep -A2 '^Launches of graphs'
