ptk roofline testdata/graphs/other_build.replay.json.gz testdata/graphs/other_build.capture.json.gz
