# each tool's stacks: of DTrace with keys, user's stacks below the kernel's, and lost records; of bpftrace with comm and pid
for file in dtrace.txt bpftrace.txt bpftrace.json rprof.out; do
    ptk info testdata/text-stacks/$file | head -1
    ptk hotspots -n 0 testdata/text-stacks/$file
done
ptk info testdata/text-stacks/bpftrace.txt | grep stacks,
ptk tree --focus read_batch testdata/text-stacks/bpftrace.txt
ptk hotspots --value time testdata/text-stacks/rprof.out
ptk hotspots --by module testdata/text-stacks/dtrace.txt
