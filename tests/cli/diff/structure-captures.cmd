# Kernels of graphs are known by the captures of each side, which are files of their own.
ptk diff --by structure testdata/graphs/sizes.replay.json.gz testdata/graphs/sizes.replay.json.gz --capture-before testdata/graphs/sizes.capture.json.gz -n 4
ptk diff --by structure testdata/graphs/sizes.replay.json.gz testdata/graphs/sizes.replay.json.gz --capture-before testdata/graphs/sizes.capture.json.gz --capture-after testdata/graphs/sizes.capture.json.gz | tail -1
ptk diff --by structure testdata/graphs/sizes.replay.json.gz testdata/graphs/twins.replay.json.gz --capture-before testdata/graphs/sizes.capture.json.gz --capture-after testdata/graphs/twins.capture.json.gz
