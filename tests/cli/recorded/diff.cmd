# a pattern compiled once in place of each time, three lines further up: nobody is new, or taken for another
ptk diff -n 0 -f csv testdata/recorded/etl.pstats testdata/recorded/etl_after.pstats | grep /srv/app/etl.py | cut -d, -f 1,3,7,8
ptk diff --sort growth -n 0 -f json testdata/recorded/etl.pstats testdata/recorded/etl_after.pstats | grep -E '"(added|removed)"'
