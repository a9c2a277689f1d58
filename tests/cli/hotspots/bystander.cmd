for threads in 1 2; do for value in time host; do
    ptk hotspots --value $value - <<END
[{"ph":"X","pid":1,"tid":1,"cat":"cpu_op","name":"aten::mm","ts":0,"dur":20},
 {"ph":"X","pid":0,"tid":7,"cat":"kernel","name":"gemm","ts":10,"dur":80},
 {"ph":"X","pid":1,"tid":2,"cat":"python_function","name":"threading.py(1): run","ts":0,"dur":100},
 {"ph":"X","pid":1,"tid":2,"cat":"python_function","name":"threading.py(9): wait","ts":1,"dur":99},
 {"ph":"X","pid":1,"tid":$((threads + 1)),"cat":"python_function","name":"queue.py(2): get","ts":120,"dur":50}]
END
done; done
# An operator in a lane of its own makes the thread none.
ptk hotspots --value host - <<END
[{"ph":"X","pid":0,"tid":7,"cat":"kernel","name":"gemm","ts":10,"dur":80},
 {"ph":"X","pid":1,"tid":2,"cat":"python_function","name":"threading.py(1): run","ts":0,"dur":100},
 {"ph":"X","pid":1,"tid":2,"cat":"cpu_op","name":"aten::mm","ts":60,"dur":90}]
END
