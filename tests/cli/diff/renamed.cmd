# A function that has another name, but the callers, callees and file of before, is renamed: it is neither new nor gone.
t=$(mktemp -d) && trap 'rm -r "$t"' EXIT
python3 - "$t" <<'PY'
import marshal, sys
def dump(name, leaf, calls, path):
    top, one, two, other = ("a.py", 1, "<module>"), ("a.py", 5, name), ("a.py", 9, leaf), ("a.py", 20, "other")
    marshal.dump({top: (1, 1, .1, 2.2, {}), one: (calls, calls, 1., 1.9, {top: (calls, calls, 1., 1.9)}),
                  two: (3, 3, .9, .9, {one: (3, 3, .9, .9)}), other: (1, 1, .2, .2, {top: (1, 1, .2, .2)})}, open(path, "wb"))
dump("load", "parse", 1, sys.argv[1] + "/before.pstats")
dump("load_all", "parse_line", 2, sys.argv[1] + "/after.pstats")
PY
ptk diff -n 0 "$t/before.pstats" "$t/after.pstats"
ptk diff -n 0 -f csv "$t/before.pstats" "$t/after.pstats" | cut -d, -f1,6,7,8,19,20,21
