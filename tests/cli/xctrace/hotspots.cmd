ptk info testdata/xctrace/refs.xml
ptk hotspots testdata/xctrace/refs.xml
ptk hotspots --by label:state testdata/xctrace/refs.xml
ptk hotspots --by thread testdata/xctrace/refs.xml
ptk lines --show 'Box' testdata/xctrace/refs.xml
# another table; references to nothing; cut; ends of what has not begun; entities and weights that are none
ptk hotspots tests/fuzz/seeds/xctrace/cycles
head -c 1400 testdata/xctrace/refs.xml | ptk hotspots -
ptk() { "$PTK" hotspots --from xctrace -n 3 - || echo "exit $?"; }
printf '<trace-query-result></row><row><weight>-3</weight><backtrace><frame name="&;&lt&#xffffff;&#0;"/></backtrace></row><row id="1"' | ptk
printf '<trace-query-result><row><backtrace id="1"><frame ref="1"/><frame></frame></backtrace></row></frame></trace-query-result>' | ptk
printf 'no tag' | ptk
# an element that does not end
printf '<trace-query-result><row><weight>5</weight></row><row><thread fmt="t"><weight>5</weight></row></trace-query-result>' | ptk
