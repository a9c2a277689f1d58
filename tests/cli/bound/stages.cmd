# A server's stages: the host limits decode, kernels limit prefill, and prompts delay tokens.
ptk bound -q testdata/serving/vllm-detail.json.gz | grep -A4 '^Steps of serving'
ptk bound -q testdata/serving/vllm-empty-queue.json.gz | grep -A4 '^Steps of serving'
ptk bound -q -f json testdata/serving/vllm-detail.json.gz | grep -A3 '^"stages"'
# Without labels nothing is said of stages.
ptk bound -q testdata/serving/no-labels.json.gz | grep -c '^Steps of serving'
