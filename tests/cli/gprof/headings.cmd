# Of BSD, AIX and Darwin: other headings, no title, and indices in both tables; (5) has no block of its own.
ptk hotspots testdata/gprof/bsd.txt
ptk callees . testdata/gprof/bsd.txt
sed '1,/% *cumulative/{ /% *cumulative/!d; }' testdata/gprof/bsd.txt | ptk hotspots -
# A table without any heading begins with its first subject.
sed -n '/^index/,$p' testdata/gprof/cycle.txt | sed 1d | ptk hotspots -
