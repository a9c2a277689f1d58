ptk serve testdata/serving/vllm-detail.json.gz
