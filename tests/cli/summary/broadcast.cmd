# Of three operators Paddle takes all for communication: two only give a tensor another shape.
cat >"$TMP_DIR/broadcast.json" <<END
[{"ph":"X","pid":1,"tid":1,"cat":"user_annotation","name":"ProfilerStep#1","ts":0,"dur":100},
 {"ph":"X","pid":1,"tid":1,"cat":"cpu_op","name":"broadcast_tensors","ts":10,"dur":10},
 {"ph":"X","pid":1,"tid":1,"cat":"cpu_op","name":"aten::broadcast_to","ts":30,"dur":20},
 {"ph":"X","pid":1,"tid":1,"cat":"cpu_op","name":"c_broadcast","ts":60,"dur":40},
 {"ph":"X","pid":0,"tid":7,"cat":"kernel","name":"gemm","ts":70,"dur":30}]
END
for compat in '' --paddle-compat; do
    ptk summary $compat --table overview "$TMP_DIR/broadcast.json" | grep Communication
done
