# On a narrow terminal parts of one operator still differ: their shapes come before figures that follow from others.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no terminal can be opened" >&2; exit 77; }
dir=$(mktemp -d)
trace() { # FILE, then the microseconds of two products
    file=$1 at=10 id=1 && shift
    printf '{"traceEvents":[' > "$file"
    for product in "[[16,559,1024],[2816,1024],[]] $1" "[[16,559,1024],[1024,1024],[]] $2"; do
        printf '{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":%d,"dur":20,"args":{"Input Dims":%s}},\n' \
            $at "${product% *}" >> "$file"
        printf '{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":5,"args":{"correlation":%d}},\n' \
            $((at + 5)) $id >> "$file"
        printf '{"ph":"X","cat":"kernel","name":"gemm_%d","pid":0,"tid":7,"ts":%d,"dur":%d,"args":{"device":0,"stream":7,"correlation":%d}},\n' \
            $id $((at + 40)) "${product##* }" $id >> "$file"
        at=$((at + 1000)) id=$((id + 1))
    done
    printf '{}]}' >> "$file"
}
trace "$dir/old.json" 100 200
trace "$dir/new.json" 150 300
COLUMNS=80 script -qec "$PTK diff --color never --by structure $dir/old.json $dir/new.json" /dev/null </dev/null | tr -d '\r'
rm -r "$dir"
