ptk tree -n 30 --value device --capture testdata/graphs/hip_streams.capture.json.gz testdata/graphs/hip_streams.replay.json.gz
