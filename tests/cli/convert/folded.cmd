ptk convert --to folded testdata/pprof/inlined_recursion.pb
ptk convert --to folded --value alloc_objects --focus sortWork testdata/pprof/go_heap.pb.gz | tail -n 3
