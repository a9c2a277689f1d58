# Attention whose cache has an unknown length, inside of an operator whose work is known: the kernel's work is that of the
# outer one; by itself it is what is needed at least.
kernel() {
    printf '{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":30,"dur":5,"args":{"correlation":1}},'
    printf '{"ph":"X","cat":"kernel","name":"flash_fwd_kernel","pid":0,"tid":7,"ts":40,"dur":100,"args":{"correlation":1,"device":0,"stream":7}}]'
}
inner='{"ph":"X","cat":"cpu_op","name":"vllm::unified_attention","pid":1,"tid":1,"ts":20,"dur":30,"args":{"Input Dims":[[512,8,64],[512,8,64],[512,8,64]],"Input type":["c10::BFloat16","c10::BFloat16","c10::BFloat16"]}},'
{
    printf '[{"ph":"X","cat":"cpu_op","name":"aten::_scaled_dot_product_flash_attention","pid":1,"tid":1,"ts":10,"dur":50,"args":{"Input Dims":[[1,8,512,64],[1,8,512,64],[1,8,512,64],[],[],[],[]],"Input type":["c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar","Scalar","Scalar","Scalar"],"Concrete Inputs":["","","","0.","False","False",""]}},'
    echo "$inner"
    kernel
} >"$TMP_DIR/inside.json"
{ echo "[$inner" && kernel; } >"$TMP_DIR/alone.json"
for trace in inside alone; do
    ptk roofline -q --by operator --gpu a100-sxm-80gb -f csv "$TMP_DIR/$trace.json" | cut -d, -f1-9
done
