# what is printed can be typed back: whole labels, their ends, places, builtins; a name before what holds it
profile=testdata/pstats/fractal.pstats
for function in 'fractal.py:15(escape_time)' fractal.py:15 '{built-in method builtins.abs}' '.../json/decoder.py:1' \
    'json/decoder.py:1(<module>)' step '^escape'; do
    ptk callers "$function" $profile | sed -n 's/: self.*//p' | sed 's/.*lib.python/.../'
done
ptk callers -F '(step)' $profile | sed -n 's/: self.*//p'
ptk callers -F '^step' $profile || echo "status $?"
# in either order, where only one can be the file
ptk callers $profile escape_time | sed -n 3p
ptk callers $profile || echo "status $?"
ptk callers '(' $profile || echo "status $?"
