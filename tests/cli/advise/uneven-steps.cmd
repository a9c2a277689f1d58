# Four steps, the third longer by what a function took that the others do not have. Its line, the Python
# function around it and the step are named; and how it ends without: as the median step.
{
    printf '[{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}'
    at=0
    for step in 1 2 3 4; do
        extra=0
        [ $step = 3 ] && extra=500
        length=$((1000 + extra))
        printf ',\n{"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d","pid":1,"tid":1,"ts":%d,"dur":%d}' $step $at $length
        printf ',\n{"ph":"X","cat":"python_function","name":"train.py(7): step","pid":1,"tid":1,"ts":%d,"dur":%d}' $((at + 10)) $((length - 20))
        [ $step = 3 ] && printf ',\n{"ph":"X","cat":"cpu_op","name":"zoom_shift","pid":1,"tid":1,"ts":%d,"dur":%d}' $((at + 20)) $extra
        printf ',\n{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":10,"args":{"correlation":%d}}' $((at + 40 + extra)) $step
        printf ',\n{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":%d,"dur":800,"args":{"correlation":%d,"device":0,"stream":7}}' $((at + 60 + extra)) $step
        printf ',\n{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":1,"tid":1,"ts":%d,"dur":810}' $((at + 60 + extra))
        at=$((at + length))
    done
    printf ']'
} >"$TMP_DIR/uneven.json"
ptk advise "$TMP_DIR/uneven.json"
ptk advise -f json "$TMP_DIR/uneven.json" | grep uneven-steps
ptk what-if --even-steps "$TMP_DIR/uneven.json" | head -2
