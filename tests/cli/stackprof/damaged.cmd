# a stack that is cut, lengths and counts that are none, ids of nothing, samples without a stack
ptk() { "$PTK" hotspots --from stackprof -n 3 "$@" -; echo "exit $?"; }
printf '{"mode":"object","interval":7,"samples":9,"frames":{"1":{"name":"a","edges":{"1":-3,"2":"x"}}},"raw":[2,1,77,4,1,1' | ptk
printf '{"mode":"wall","interval":-1,"samples":9,"frames":{"1":{"samples":5}},"raw":[-1,2,"x",3,9000000000,1,1]}' | ptk
printf '{"mode":5,"frames":{"1":7,"2":{"name":"b","samples":9223372036854775807,"total_samples":1}}}' | ptk --value samples
printf '{"mode":"wall","samples":3,"gc_samples":0}' | ptk
printf '[]' | ptk
# what StackProf writes itself
printf '\4\10{\15:\14versionf\0101.2:\23missed_samplesi\0' | "$PTK" hotspots - || echo "exit $?"
