# The main thread runs Python while a call on another thread ends: it may have waited for that call's lock, and would
# not if it came sooner.
awk 'BEGIN {
    print "["
    print "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"<built-in function dump>\",\"pid\":1,\"tid\":2,\"ts\":2000,\"dur\":20000},"
    print "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"train.py(1): main\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":60000},"
    print "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"<built-in function load>\",\"pid\":1,\"tid\":1,\"ts\":100,\"dur\":20900},"
    print "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"model.py(5): forward\",\"pid\":1,\"tid\":1,\"ts\":21000,\"dur\":9000},"
    print "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":21995,\"dur\":10,\"args\":{\"correlation\":2}},"
    print "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"add\",\"pid\":0,\"tid\":7,\"ts\":30125,\"dur\":29000,\"args\":{\"device\":0,\"stream\":7,\"correlation\":2}}]"
}' >"$TMP_DIR/call.json"
ptk what-if -q --remove 'load' "$TMP_DIR/call.json" | head -2
