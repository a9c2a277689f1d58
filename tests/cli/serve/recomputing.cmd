# Requests come back and are computed again: those steps are in no fit by tokens alone.
ptk serve testdata/serving/vllm-resumed.json.gz
