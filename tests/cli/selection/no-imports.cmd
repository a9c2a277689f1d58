# of a call graph: main took 44.01 ms (the file says so), the imports the rest of 64.55 ms
ptk tree --no-imports -d 3 testdata/pstats/fractal.pstats
ptk hotspots --no-imports -f csv -n 3 testdata/pstats/mix_py311.pstats
# of Python 2 no function imports, and __import__ is one of many ways; exec runs the program's own
ptk tree --no-imports testdata/pstats/imports_py27.pstats
# of stacks: exact
ptk hotspots --no-imports -n 4 testdata/pprof/go_init.pb.gz
printf '%s 5\n' 'main (app.py:1);_find_and_load (<frozen importlib._bootstrap>:1);<module> (b.py:1);f (b.py:2)' \
    'main (app.py:1);f (b.py:2)' | ptk hotspots --no-imports -
printf '%s 5\n' 'main;f' | ptk hotspots --no-imports -
