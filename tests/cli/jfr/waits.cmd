# reads, writes, sleeps, waits, collections and load: the figures of `jfr print` and `jfr summary`
ptk info testdata/jfr/bytes.jfr.gz
for value in file_read_time file_read_bytes file_reads file_write_bytes slept monitor_waited gc_pauses cpu; do
    ptk hotspots -n 2 --value $value testdata/jfr/bytes.jfr.gz
done
ptk bound --threshold blocking=0.5% testdata/jfr/bytes.jfr.gz
ptk advise --threshold blocking=0.5% testdata/jfr/bytes.jfr.gz
