ptk serve -f json testdata/serving/vllm-detail.json.gz | head -c 6000
