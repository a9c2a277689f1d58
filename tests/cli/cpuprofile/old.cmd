# Up to node 10 the nodes stood inside each other, with lines from 1 and times of a clock.
ptk info testdata/cpuprofile/old.cpuprofile
ptk tree testdata/cpuprofile/old.cpuprofile
ptk hotspots --by line -f csv testdata/cpuprofile/old.cpuprofile
# samples before the tree, an id twice and none, a depth of its own; ended early; no times; no tree
read() { "$PTK" "$@" --from cpuprofile -; echo "exit $?"; }
echo '{"typeId":"CPU","samples":[2,9,1],"timestamps":[1e6,"x",2000000],"endTime":3,"head":{"functionName":"a","id":1,"children":[{"functionName":"b","id":2},{"id":2,"functionName":"c"},7,{"functionName":{}}]}}' | read tree
head -c 1300 testdata/cpuprofile/old.cpuprofile | read hotspots
echo '{"head":{"functionName":"a","hitCount":3,"id":1,"lineNumber":-4},"samples":[1,1]}' | ptk hotspots -
echo '{"head":[]}' | read hotspots
{ yes '{"hitCount":1,"children":[' | head -n 100000; } | tr -d '\n' | sed 's/^/{"head":/' | read hotspots
