# Two threads work at each step: a step is one row, wherever steps are told of.
cat >"$TMP_DIR/steps.json" <<'END'
[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":9,"tid":1,"ts":0,"dur":100},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":9,"tid":2,"ts":20,"dur":100},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":9,"tid":1,"ts":120,"dur":100},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":9,"tid":2,"ts":125,"dur":95},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":2,"ts":102,"dur":4,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":110,"dur":50,"args":{"correlation":1,"device":0}}]
END
ptk info "$TMP_DIR/steps.json" | grep '^steps'
ptk overlap --by step "$TMP_DIR/steps.json" | sed -n '/^ *step /,/^$/p'
ptk summary -t steps "$TMP_DIR/steps.json"
ptk hotspots --by step "$TMP_DIR/steps.json"
