# A server without requests waits for some: that time is left out, and nobody is told to make the wait shorter.
ptk bound testdata/serving/vllm-empty-queue.json.gz | head -n 3
ptk overlap testdata/serving/vllm-empty-queue.json.gz | grep 'requests '
ptk advise -f json testdata/serving/vllm-empty-queue.json.gz | grep -c _process_input_queue || true
