ptk serve testdata/serving/vllm-detail.json.gz testdata/serving/trtllm-old.json.gz
