{ printf x; head -c 3000000 /dev/zero; } | gzip -9 | ptk hotspots --max-size 1M
