# No lock without a lock's frame: what stops the world is named, with who asks for it; the compiler is no library.
ptk advise testdata/pprof/go_bench.pb.gz
ptk advise testdata/pprof/go_compile.pb.gz | sed -n 1p
# What was called once is the run, and no call to make less often; nothing sticks out but the way of most time.
ptk advise testdata/pstats/compileall.pstats | sed -n 1p
printf '%s 10\n' 'main (a.py:1);run (a.py:2);f (a.py:3)' 'main (a.py:1);run (a.py:2);g (a.py:4)' \
    'main (a.py:1);run (a.py:2);h (a.py:5)' 'main (a.py:1);run (a.py:2);i (a.py:6)' 'main (a.py:1);run (a.py:2);j (a.py:7)' |
    ptk advise -
