# --stacks=yes: the program's stacks are memory, too; without a detailed snapshot the largest one's totals are shown
printf 'desc: --stacks=yes\ncmd: ./deep\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=0\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=empty\n#-----------\nsnapshot=1\n#-----------\ntime=9\nmem_heap_B=0\nmem_heap_extra_B=0\nmem_stacks_B=6400272\nheap_tree=empty\n#-----------\nsnapshot=2\n#-----------\ntime=12\nmem_heap_B=4096\nmem_heap_extra_B=16\nmem_stacks_B=512\nheap_tree=empty\n' >"$TMP_DIR/deep.massif"
ptk hotspots -f csv "$TMP_DIR/deep.massif"
ptk info "$TMP_DIR/deep.massif" | tail -n +4
printf 'desc: --stacks=yes\ncmd: ./deep\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=9\nmem_heap_B=4096\nmem_heap_extra_B=16\nmem_stacks_B=512\nheap_tree=peak\nn0: 4096 0x10: make (deep.c:3)\n' >"$TMP_DIR/peak.massif"
sed -i 's/^n0: 4096/n1: 4096 (heap allocation functions) malloc\/new\/new[], --alloc-fns, etc.\n n0: 4096/' "$TMP_DIR/peak.massif"
ptk hotspots "$TMP_DIR/peak.massif"
