# Parts that read alike by their first two tensors show more of these, those of two modules more of their path; on a
# narrow terminal sizes stay longer than names.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no terminal can be opened" >&2; exit 77; }
dir=$(mktemp -d)
trace() { # FILE, then the microseconds of the products
    file=$1 at=10 id=1 && shift
    printf '{"traceEvents":[' > "$file"
    while read -r module inner shapes; do
        for name in "nn.Module: $module" "nn.Module: $inner"; do
            printf '{"ph":"X","cat":"python_function","name":"%s","pid":1,"tid":1,"ts":%d,"dur":20,"args":{"Python id":%d}},\n' \
                "$name" $at $id >> "$file"
        done
        printf '{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":%d,"dur":20,"args":{"Input Dims":%s}},\n' \
            $at "$shapes" >> "$file"
        printf '{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":5,"args":{"correlation":%d}},\n' \
            $((at + 5)) $id >> "$file"
        printf '{"ph":"X","cat":"kernel","name":"gemm_%d","pid":0,"tid":7,"ts":%d,"dur":%d,"args":{"device":0,"stream":7,"correlation":%d}},\n' \
            $id $((at + 40)) "$1" $id >> "$file"
        at=$((at + 1000)) id=$((id + 1)) && shift
    done <<-END
	ViTSdpaSelfAttention_0 Linear_0 [[4,197,768],[768,768],[768]]
	ViTSdpaSelfAttention_0 Linear_0 [[4,197,768],[768,768],[]]
	ViTSelfOutput_0 Linear_1 [[4,197,768],[768,768],[768]]
	ViTIntermediate_0 Linear_2 [[4,197,768],[3072,768],[3072]]
	ViTOutput_0 Linear_3 [[4,197,3072],[768,3072],[768]]
	END
    printf '{}]}' >> "$file"
}
trace "$dir/old.json" 100 200 300 400 500
trace "$dir/new.json" 150 270 390 510 630
$PTK diff --by structure "$dir/old.json" "$dir/new.json" | sed -n '/part  /,$p'
COLUMNS=72 script -qec "$PTK diff --color never --by structure $dir/old.json $dir/new.json" /dev/null </dev/null | tr -d '\r' |
    sed -n '/part  /,$p'
rm -r "$dir"
