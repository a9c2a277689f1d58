# A server's stages: decode is held up by the host, prefill by its kernels, and prompts hold tokens up.
ptk bound -q testdata/serving/vllm-detail.json.gz | grep -A4 '^Steps of serving'
ptk bound -q testdata/serving/vllm-empty-queue.json.gz | grep -A4 '^Steps of serving'
ptk bound -q -f json testdata/serving/vllm-detail.json.gz | grep -A3 '^"stages"'
# Without labels nothing is said of stages.
ptk bound -q testdata/serving/no-labels.json.gz | grep -c '^Steps of serving'
