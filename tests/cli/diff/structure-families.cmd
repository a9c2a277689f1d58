# Neither side has operators: families of kernels are compared, and a line says so. What has no partner is told as such.
dir=$(mktemp -d)
trace() { # FILE, then KERNEL:MICROSECONDS
    at=10 id=1 file=$1 && shift
    printf '{"schemaVersion":1,"traceEvents":[{"ph":"M","name":"process_labels","pid":0,"tid":0,"args":{"labels":"GPU 0"}}' >"$dir/$file"
    for kernel; do
        printf ',{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":%d,"dur":5,"args":{"correlation":%d}}' $at $id
        printf ',{"ph":"X","cat":"kernel","name":"%s","pid":0,"tid":7,"ts":%d,"dur":%d,"args":{"correlation":%d,"device":0,"stream":7}}' \
            "${kernel%:*}" $((at + 7)) "${kernel#*:}" $id
        at=$((at + 1000)) id=$((id + 1))
    done >>"$dir/$file"
    printf ']}' >>"$dir/$file"
}
trace a.json ampere_sgemm_128x64_nn:400 flash_fwd_kernel:200 ncclDevKernel_AllReduce_Sum_f32:50
trace b.json nvjet_tst_64x64_64x16_4x1_v_bz_TNT:300 fmha_cutlassF_bf16_aligned_64x64_rf_sm80:210
ptk diff -q "$dir/a.json" "$dir/b.json"
rm -r "$dir"
