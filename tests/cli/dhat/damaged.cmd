begin='{"dhatFileVersion":2,"mode":"heap","pps":[{"tb":8,"tbk":1,"fs":[1,7]}]'
printf '%s' "$begin" | ptk hotspots - || echo "status $?"
printf '%s,"ftbl":["[root]","0x1: malloc (in x.so)"]}' "$begin" | ptk tree -
printf '%s,"ftbl":["[root]","0x1: mal' "$begin" | ptk tree - || echo "status $?"
printf '{"dhatFileVersion":2,"mode":"heap","pps":[{"tb":-8,"tbk":"x","fs":[1,-7,"a"]},5,[]],"ftbl":["[root]",5]}' | ptk hotspots - || echo "status $?"
printf '{"dhatFileVersion":2,"mode":"copy","pps":[{"tb":8,"tbk":1,"eb":4,"fs":[1]}],"ftbl":["[root]","0x1: f (in x.so)"]}' | ptk hotspots --value all -f csv -
