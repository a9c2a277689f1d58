# Logs of NCCL's inspector: bandwidth by group, who is longest in collectives, whose log ends early.
cd testdata/nccl-inspector
ptk job .
ptk job -f csv --by group node0*
head -c 700 node0-pid4000.log | ptk info -
{ head -1 node0-pid4000.log && echo '}' && tail -1 node0-pid4000.log; } | ptk info - | tail -2
tr '\n' ' ' <node0-pid4000.log | sed 's/"coll_sn": 2,//; s/"rank": 0, "n_ranks": 8/"rank": 0, "n_ranks": -8/3' | ptk info -q - | tail -5
sed 's/"coll_perf"/"p2p_perf"/' node0-pid4001.log | ptk info - | tail -2
