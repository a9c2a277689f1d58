ptk what-if -n 1 --scale 'kernel|gemm|void=2' testdata/graphs/twins.replay.json.gz -f json
