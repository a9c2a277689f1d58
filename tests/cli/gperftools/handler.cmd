# a signal handler's frame behind nearly every leaf, and a leaf that is there twice, go
ptk tree --no-symbols --min-percent 0 testdata/gperftools/handler.prof
