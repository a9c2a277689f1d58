# Tokens of prompts are not in the labels.
ptk serve testdata/serving/trtllm-old.json.gz
