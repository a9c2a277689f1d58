ptk() { "$PTK" "$@" --from speedscope -; echo "exit $?"; }
# The unit comes last; frames that nobody describes; a sample and two weights too many.
echo '{"profiles":[{"weights":[1,"x",3,4,5],"samples":[[0],[0,9],[-1,1e99]],"type":"sampled","unit":"bytes"}],"shared":{"frames":[{"name":"a"}]}}' | ptk hotspots
# Events out of order, closed inside out, closed but not open, and of no kind.
echo '{"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"evented","name":"t","unit":"none","events":[{"type":"O","frame":0,"at":5},{"type":"O","frame":1,"at":7},{"type":"C","frame":0,"at":3},{"type":"C","frame":1,"at":9},{"type":"X"},7]}]}' | ptk tree
# Cut inside the second profile.
head -c 560 testdata/speedscope/py-spy.speedscope.json | ptk hotspots
for text in '{}' '[]' '{"profiles":7}' '{"profiles":[7]}' '{"profiles":[{"samples":{}},{"events":[[]]}]}'; do
    echo "$text" | ptk hotspots
done
