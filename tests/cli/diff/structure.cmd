# Kernels have other names: parts of the program are compared, and that is said.
ptk diff testdata/structural/fused-norm.a.json.gz testdata/structural/fused-norm.b.json.gz
# What one side alone has, for programs; a row an operator, whatever its shapes.
ptk diff --by structure -f csv testdata/structural/gone.a.json.gz testdata/structural/gone.b.json.gz
ptk diff --by structure testdata/structural/other-batch.a.json.gz testdata/structural/other-batch.b.json.gz | tail -3
# A trace and itself; functions, as asked.
ptk diff --by structure testdata/structural/gone.a.json.gz testdata/structural/gone.a.json.gz | tail -1
ptk diff --by function -n 2 testdata/structural/gone.a.json.gz testdata/structural/gone.b.json.gz | tail -5
# By default JSON has functions, too.
ptk diff -n 0 -f json testdata/structural/gone.a.json.gz testdata/structural/gone.b.json.gz |
    grep -o '^"[a-z_]*":\[\|"how":"[^"]*"\|^  {"module".*'
