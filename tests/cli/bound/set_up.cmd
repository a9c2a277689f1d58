# A first product's cudaFree and cudaMalloc set the library up; a later cudaMalloc is the allocator's; the
# profiler's own calls are no part of the run.
ptk bound testdata/chrome/set_up.json
ptk advise testdata/chrome/set_up.json
echo "an operator that calls one of its name:"
sed 's/^"traceEvents": \[/&{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":6199,"dur":6402,"args":{}},/' \
    testdata/chrome/set_up.json >"$TMP_DIR/nested.json"
ptk bound "$TMP_DIR/nested.json" | head -n 1
echo "JAX's names:"
sed 's/torch.profiler.profiler.py(688): start_trace/$profiler.py:213 start_trace/; s/<built-in function _enable_profiler>/x/' \
    testdata/chrome/set_up.json >"$TMP_DIR/jax.json"
ptk bound "$TMP_DIR/jax.json" | sed -n 1,2p
