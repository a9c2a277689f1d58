# The same steps elsewhere: in the inventory, in the summary, and as groups.
ptk info testdata/serving/vllm-detail.json.gz | grep 'serving steps'
ptk summary -t steps testdata/serving/trtllm-old.json.gz
ptk hotspots --value device --by stage testdata/serving/vllm-detail.json.gz
ptk hotspots --value device --by step -n 3 testdata/serving/vllm-detail.json.gz
ptk hotspots --value device --stage decode testdata/serving/vllm-detail.json.gz
