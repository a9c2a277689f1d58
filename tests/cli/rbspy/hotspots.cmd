ptk info testdata/rbspy/threads.raw
ptk hotspots testdata/rbspy/threads.raw
ptk hotspots --value time --by label:state testdata/rbspy/threads.raw
ptk hotspots --by thread testdata/rbspy/threads.raw
ptk lines --show work testdata/rbspy/threads.raw
# only the first line; lines that are no samples; members that are none; no rate
ptk() { "$PTK" hotspots --from rbspy -n 3 - || echo "exit $?"; }
printf 'rbspy02\n' | ptk
printf 'rbspy01\n{"sample_rate":0}\n{}\nx\n\n{"trace":[{"name":7,"lineno":-4},5,{}],"on_cpu":[]}\n{"trace":{}}\n{"tra' | ptk
printf 'rbspx\n' | ptk
printf 'rbspx\n' | "$PTK" hotspots --by thread --from rbspy - || echo "exit $?"
