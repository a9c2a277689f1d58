ptk tree --min-percent 0 testdata/pprof/drop_keep_frames.pb
ptk tree --min-percent 0 --drop-frames testdata/pprof/drop_keep_frames.pb
