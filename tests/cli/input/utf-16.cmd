iconv -f UTF-8 -t UTF-16 testdata/nvprof/summary.txt | ptk hotspots -q -n 2
{ printf '\376\377'; iconv -f UTF-8 -t UTF-16BE testdata/nvprof/summary.txt; printf x; } | ptk info -f csv
