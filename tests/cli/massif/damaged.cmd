begin='desc: x\ncmd: y\ntime_unit: i\nsnapshot=0\nmem_heap_B=10\nmem_heap_extra_B=0\nheap_tree='
printf "${begin}detailed\nn2: 10 (heap)\n n1: 8 0x1: f (a.c:1)\n  n0: 5 0x2: main (a.c:2)\n n0: 2 in 3 places, all below massif's threshold (1.00%%)\n" | ptk tree -
for tree in 'peak\nn1: 10 (heap)\n  n0: 5 0x1: f (a.c:1)' 'peak\nn1: 10 (heap)\nn0: 5 0x1: f' 'peak\n n1: 10 0x1: f' 'peak\nn1: 10 (heap)\nrubbish' 'empty'; do
    printf "$begin$tree\n" | ptk hotspots - || echo "status $?"
done
printf "${begin}peak\nn1: 10 (heap)\n n1: 5 0x1: f\n  n0: 50 0x1: g\n" | ptk hotspots -f csv -
