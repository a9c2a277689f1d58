# cut in the header, the tables and the footer; another version; bytes behind the end
for size in 40 1500 15480; do head -c $size testdata/tachyon/old-big-endian.bin | ptk hotspots -; done
{ head -c 4 testdata/tachyon/zstd.bin; printf '\2'; tail -c +6 testdata/tachyon/zstd.bin; } | ptk hotspots -
{ cat testdata/tachyon/zstd.bin; echo; } | ptk hotspots -
# no tables, as where the profiler was killed; packed bytes that are none
{ head -c 36 testdata/tachyon/zstd.bin; head -c 28 /dev/zero; tail -c +65 testdata/tachyon/zstd.bin; } | ptk hotspots -
{ head -c 70 testdata/tachyon/zstd.bin; printf 'damaged'; tail -c +78 testdata/tachyon/zstd.bin; } | ptk hotspots -
# a record of an unknown kind behind good ones, and one that pops more than there is
{ head -c 200 testdata/tachyon/synthetic.bin; printf '\377\377\377\377\377\377\377\377\377\377\377\377\377'; tail -c +214 testdata/tachyon/synthetic.bin; } | ptk hotspots -n 1 -
