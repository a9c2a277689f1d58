head='index %% time    self  children    called     name\n'
printf "$head[1]     50.0    0.01    0.02       5+3     std::vector<int>::at(int, int) <cycle 2> [1]\n                0.01    0.00      5/9           f(char [2]) [3]\n                             x\n---\n[2] 1.0 0.5\n[3] 1.0 0.5 0.5 99999999999999999999 g [3]\n\n This table describes\n[4] 1.0 1.0 1.0 h [4]\n" | ptk callees . -
printf "$head" | ptk hotspots - || echo "status $?"
sed '/Call graph/,$d' testdata/gprof/cycle.txt | ptk hotspots - || echo "status $?"
printf 'gmon\001' | ptk info - || echo "status $?"
