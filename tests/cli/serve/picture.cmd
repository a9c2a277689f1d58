ptk serve -f svg testdata/serving/vllm-detail.json.gz | head -n 60
