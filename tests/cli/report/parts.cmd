# Two traces whose kernels have other names are compared by parts of the program; a server's trace has its steps.
ptk report -o "$TMP_DIR/parts.html" testdata/structural/fused-norm.a.json.gz testdata/structural/fused-norm.b.json.gz
sed 's/<[^>]*>/\n/g' "$TMP_DIR/parts.html" | grep -a -m 2 'aten::mul + aten::pow\|^device work of a step'
ptk report -o "$TMP_DIR/serve.html" testdata/serving/vllm-empty-queue.json.gz 2>/dev/null
grep -a -o 'id="serve"' "$TMP_DIR/serve.html"
# The page's first sentence is that of ptk diff: how long a step takes, not the sum over threads and devices.
ptk diff -q testdata/structural/fused-norm.a.json.gz testdata/structural/fused-norm.b.json.gz | head -1
sed 's/<[^>]*>/\n/g' "$TMP_DIR/parts.html" | grep -a -m 1 'instead of'
