# Two devices that ran out of memory: people see what is on record of both, JSON each key once.
ptk info testdata/torch-memory/two_oom_full.pickle
ptk info -f json testdata/torch-memory/two_oom_full.pickle | grep -c '"out_of_memory_asked":'
