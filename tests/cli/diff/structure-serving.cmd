# Steps of servers have batches of any size: the first sizes are not compared, and a line says which have more tokens.
ptk diff -q --by structure -n 4 testdata/serving/vllm-detail.json.gz testdata/serving/vllm-resumed.json.gz
