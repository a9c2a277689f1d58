# a script that leaves its work to a package: which that is
printf '%s\n' '<module> (/srv/job.py:1);integrate (/usr/lib/python3/dist-packages/sympy/integrals/integrals.py:9) 990' \
    '<module> (/srv/job.py:1) 1' | ptk hotspots --mine -
