# The server waits for requests; and work was launched before the recording.
ptk serve testdata/serving/vllm-empty-queue.json.gz
ptk serve testdata/serving/cut.json.gz | sed -n "/^stage/,/^$/p; /device work/p"
