ptk hotspots -n 12 --value device --show "aten|vllm|moe" --capture testdata/graphs/sizes.capture.json.gz testdata/graphs/sizes.replay.json.gz
