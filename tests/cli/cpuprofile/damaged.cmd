# Cut in the samples; a circle of parents; samples without deltas; no samples at all; no nodes.
ptk() { "$PTK" "$@" --from cpuprofile -; echo "exit $?"; }
head -c 970 testdata/cpuprofile/small.cpuprofile | ptk hotspots
echo '{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"children":[2]},{"id":2,"callFrame":{"functionName":"b"},"children":[1,3]},{"callFrame":{}}],"samples":[2,"x",3],"timeDeltas":[1,2,3],"endTime":9}' | ptk tree
echo '{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"hitCount":7}],"x":[[{"]":"}"}]]}' | ptk hotspots
echo '{"nodes":[{"id":1,"callFrame":{"functionName":"a"}}],"samples":[1,1]}' | ptk hotspots
echo '{"nodes":[]}' | ptk hotspots
echo '{"nodes":"' | ptk hotspots
