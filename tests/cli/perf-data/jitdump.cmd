# The same names from a jitdump: a header of 40 bytes, a record of another kind, code loaded twice at a place, and
# one that is cut.
dump() { # address size name: 16 + 40 + the name and its NUL
    printf "\\000\\000\\000\\000\\$(printf %03o $((57 + ${#3})))\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000"
    printf '\115\000\000\000\115\000\000\000\000\000\000\000\000\000\000\000'
    printf "$1\\000\\000\\000\\000\\000\\000$2\\000\\000\\000\\000\\000\\000\\000\\001\\000\\000\\000\\000\\000\\000\\000"
    printf '%s\000' "$3"
}
mkdir -p "$TMP_DIR/jit"
{
    printf 'DTiJ\001\000\000\000\050\000\000\000\076\000\000\000\000\000\000\000\115\000\000\000'
    printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
    printf '\003\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000'
    dump '\000\021' '\200' 'main before it was optimised'
    dump '\000\021' '\200' 'LazyCompile:~main spool.js:40'
    dump '\000\020' '\200' 'LazyCompile:*next spool.js:12'
    printf '\000\000\000\000\377\000\000\000'
} >"$TMP_DIR/jit/jit-77.dump"
ptk tree --binary-path "$TMP_DIR/jit" tests/fuzz/seeds/perf-data/jit
ptk hotspots -f csv --binary-path "$TMP_DIR/jit" tests/fuzz/seeds/perf-data/jit | grep jit-77 | cut -d, -f1-5
