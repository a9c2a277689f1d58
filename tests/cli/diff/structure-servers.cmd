# Steps of servers on both sides: stages and parts are compared, and that is said; each label is no function that is new or gone.
ptk diff -q testdata/serving/vllm-detail.json.gz testdata/serving/vllm-resumed.json.gz | sed -n "1p;/model servers/p"
ptk diff -q --by function testdata/serving/vllm-detail.json.gz testdata/serving/vllm-resumed.json.gz | sed -n 2p
