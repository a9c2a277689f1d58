# What is left out rather than refused, and who should be there.
cd testdata/chrome/job && ptk map -o "$TMP_DIR/01.part" rank00[01]* && ptk map -o "$TMP_DIR/0.part" rank000* &&
    gzip -dc rank000* | sed 's/ProfilerStep#1"/step"/' | ptk map --name short -o "$TMP_DIR/short.part" - &&
    gzip -dc rank002* | sed 's/"world_size": 4/"world_size": 8/' | ptk map --name other -o "$TMP_DIR/2of8.part" - &&
    gzip -dc rank003* | sed 's/"world_size": 4/"world_size": 8/' | ptk map --name other -o "$TMP_DIR/3of8.part" - &&
    cd "$TMP_DIR" || exit
try() { echo "$ $*"; ptk reduce -o chosen.part "$@" 2>&1; echo "status $?"; }
try 0.part short.part
try --prefer longest short.part 0.part && cmp chosen.part 0.part && echo 'the longer'
try --prefer longest 0.part short.part && cmp chosen.part 0.part && echo 'the longer'
try --prefer longest short.part 01.part
try 0.part 2of8.part
try --job-of 2 0.part 3of8.part 2of8.part && ptk info -f csv chosen.part | grep rank
try --job-of 0 0.part 3of8.part 2of8.part && cmp chosen.part 0.part && echo 'that of rank 0'
try --job-of 1 0.part 2of8.part
try --job-of one 0.part
ptk job -q --expect 0-1 --strict -f csv 01.part | wc -l
ptk job -q --expect 0-2,5,8-9 -f json 01.part | sed -n '/^"missing"/,/\]/p'
for ranks in 3-1 0,0 a 1-; do ptk job --expect $ranks 01.part 2>&1 | head -1; done
ptk job --strict -f csv 01.part | head -1
ptk job --strict -o /dev/null 01.part
