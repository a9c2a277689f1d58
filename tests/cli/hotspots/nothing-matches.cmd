# a name that is not there is no empty answer
profile=testdata/pstats/fractal.pstats
ptk hotspots --focus nothing_like_it $profile || echo "status $?"
ptk tree --show nothing_like_it.py $profile || echo "status $?"
ptk flame --focus nothing_like_it -o "$TMP_DIR/nothing.svg" $profile || echo "status $?"
ptk hotspots --focus '[' $profile || echo "status $?"
ptk hotspots --focus step --hide . $profile || echo "status $?"
[ ! -e "$TMP_DIR/nothing.svg" ] && echo "no picture"
ptk hotspots -n 1 --hide nothing_like_it $profile | head -2
# labels as they are printed select, too
ptk hotspots --show 'fractal.py:15(escape_time)' $profile
