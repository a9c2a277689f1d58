ptk() { "$PTK" hotspots --from text-stacks -n 3 "$@" -; echo "exit $?"; }
# no shape, no row, a tree without its end, rows that are none, callees that have more than their caller
printf 'main;work 7\n' | ptk
printf 'Analysis of sampling a every 9999999999999 milliseconds\nCall graph:\n' | ptk
printf 'Call graph:\n    5 Thread_1\n    + BAD\n      + 9 main  (in a) + 1  [0x1]\n    99999999999999999999 x\n' | ptk
printf 'Weight\tSelf Weight\t\tSymbol Names\n1 parsec\t1 s\t \ta\n-\t1e9 s\t \tb\n10,0 min\tx\t \tc\n' | ptk
printf '@ ev [7 samples]\n 9%% [3] a @ k\n9%% [] b\n@ ev2 [1 samples]\n9%% [3] c\n' | ptk
printf 'Time and Allocation Profiling Report\ntotal time (x ticks @ \nCOST CENTRE MODULE no. entries\n a b 1 2 3 4 5\n a 1 2 3 4 5 6\n\n a b c:(:d:7 1 2 3 4 5 6' | ptk
printf 'Function Stack,CPU Time:Total\na,1\n' | ptk
printf 'Function Stack,Module,CPU Time:Self\n"a"",b,1.5\nc,"d"x,nan\n  e,f,2\n' | ptk
# stacks that are cut, counts that are none
printf 'CPU     ID                    FUNCTION:NAME\n' | ptk
printf '          a`b\n           99999999999999999999\n  1\n          a`c+0x\n' | ptk
printf '@[\n    f+1\n, 7]: 1x\n, 8]: 5\n@[\n    g' | ptk
printf '{"type": "map", "data": {"@": {"\\n   f+1\\n": "x", "a": 1, "\\n   g+1": -4}, "b": 3}}\nx\n' | ptk
printf 'sample.interval=0\n"a" "b\n"c"\n"d' | ptk
