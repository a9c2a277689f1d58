ptk() { "$PTK" "$@" --from firefox -; echo "exit $?"; }
meta='"meta":{"preprocessedProfileVersion":99,"interval":1}'
tables='"frameTable":{"func":[0,1,9]},"funcTable":{"name":[0,1,7]},"stringArray":["a","b"]'
# Stacks above themselves, behind their callees and nowhere; frames that are none; samples of no stack.
echo '{'"$meta"',"threads":[{'"$tables"',"stackTable":{"frame":[0,1,1,2,9,0],"prefix":[0,3,-7,1e99,"x",0]},"samples":{"length":1000000000,"stack":[0,1,2,3,4,5,6,null,0.5]}}]}' | ptk tree
# The same by how far back they are; a column that is too short; weights of all kinds.
echo '{'"$meta"',"threads":[{'"$tables"',"stackTable":{"frame":[0,1,1],"prefixOffset":[1,-1,2]},"samples":{"stack":[0,1,2,2],"weight":[9223372036854775807,"2",-3],"time":[5,4,3,2]}}]}' | ptk hotspots
# Rows before the schema that tells what they hold, and places outside of it.
echo '{"meta":{},"threads":[{"samples":{"data":[[0]],"schema":{"stack":0}}},{"samples":{"schema":{"stack":70,"time":-1},"data":[[0]]}}]}' | ptk hotspots
# Cut in the samples.
head -c 9000 testdata/firefox/gecko-34.json | ptk hotspots -n 2
# Processes in processes.
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "{\"processes\":["; for (i = 0; i < 3000; i++) printf "]}" }' | ptk hotspots
for text in '{}' '[]' '{"threads":7}' '{"threads":[7,null,"x",{"samples":[]}]}' '{"meta":7,"threads":[{"samples":{"stack":[]}}]}'; do
    echo "$text" | ptk hotspots
done
