# Parts that cannot be joined: each says which one and why, and writes nothing.
cd testdata/chrome/job && ptk map -o "$TMP_DIR/0.part" rank000* && ptk map -o "$TMP_DIR/01.part" rank00[01]* &&
    ptk map -o "$TMP_DIR/12.part" rank00[12]* && cd "$TMP_DIR" || exit
# Where in a part something is depends on how well the library packs.
said() { sed -E 's/at byte [1-9][0-9]{2,}/at byte .../' why >&2; }
try() { ptk reduce -o out.part "$@" 2>why; echo "status $?"; said; [ -e out.part ] && echo written; rm -f out.part; }
try 01.part 12.part
head -c 1000 0.part >cut.part && try cut.part
head -c 100 0.part >short.part && try short.part
{ head -c 1000 0.part && printf X && tail -c +1002 0.part; } >damaged.part && try 12.part damaged.part
{ printf 'PTKPART\002' && tail -c +9 0.part; } >version.part && try version.part
: >empty.part && try empty.part
cat 0.part 0.part >double.part && try double.part
try missing.part
ptk reduce --keep-going -o out.part 12.part cut.part missing.part && ptk job -q out.part | head -2
gzip -c 01.part >packed.part && try packed.part
gzip -dc "$OLDPWD"/rank000* | sed 's/"dur": 25/"dur": 26/' | ptk map --name other -o other.part -
try other.part 01.part
