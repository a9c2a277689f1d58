# what others wrote is charged to who called it: the sum of self stays, as long as somebody did
ptk hotspots --mine -n 4 testdata/pstats/fractal.pstats
ptk callees --mine row testdata/pstats/fractal.pstats
printf '%s 5\n' 'main (app.py:1);loads (/usr/lib/python3.11/json/__init__.py:3)' 'main (app.py:1);go (app.py:9)' \
    'loads (/usr/lib/python3.11/json/__init__.py:3)' | ptk hotspots --mine -
printf '%s 5\n' 'a;b;c' 'a;c' | ptk hotspots --mine=b -
printf '%s 5\n' 'main;std::sort<int>;std::swap' | ptk tree --mine -
printf '%s 5\n' 'std::sort<int>;std::swap' | ptk tree --mine - || echo "status $?"
ptk hotspots --mine nothing_like_it.prof || echo "status $?"
