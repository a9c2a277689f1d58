# steps that hang on nothing, shares beyond the whole, no rows, no count; several events
head='# Samples: 4  of event %s\n# Event count (approx.): 4000\n#\n# Overhead  Command  Symbol    \n# ........  .......  ..........\n'
printf "${head}    75.00%%  app      [.] one\n            |\n            ---one\n               two\n                    lost\n               |--50.00%%--three\n         |--25.00%%--lost\n   900.00%%  app      [.] much\n    25.00%%  app      [.] 0x12\n" "'cycles:u'" | ptk tree
printf "$head" "'cycles'" | ptk hotspots || echo "status $?"
printf "# Event count (approx.): 99999999999999999999\n# ....\n 1.00%% x\n" | ptk hotspots || echo "status $?"
printf "${head}   100.00%%  app      [.] one\n\n${head}   100.00%%  app      [.] other\n" "'cycles'" "'branches'" | ptk hotspots
