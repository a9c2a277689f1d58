# A renamed function whose callees changed, but one, has the callers and the file of before: it is neither new nor gone. One that
# calls nothing of what the other called is another function, whoever calls it.
t=$(mktemp -d) && trap 'rm -r "$t"' EXIT
python3 - "$t" <<'PY'
import marshal, sys
def dump(name, stranger, added, path):
    top, one, kept, apart = ("a.py", 1, "<module>"), ("a.py", 5, name), ("a.py", 9, "read"), ("b.py", 3, stranger)
    functions = {top: (1, 1, .1, 2.8, {}), one: (2, 2, 1., 1.9, {top: (2, 2, 1., 1.9)}), kept: (3, 3, .5, .5, {one: (3, 3, .5, .5)}),
                 apart: (1, 1, .6, 1., {top: (1, 1, .6, 1.)})}
    for leaf, caller in added:
        functions[(leaf + ".py", 9, leaf)] = (1, 1, .2, .2, {caller: (1, 1, .2, .2)})
    marshal.dump(functions, open(path, "wb"))
one, all, old, other = ("a.py", 5, "load"), ("a.py", 5, "load_all"), ("b.py", 3, "old"), ("b.py", 3, "other")
dump("load", "old", [("check", one), ("x", old), ("z", old)], sys.argv[1] + "/before.pstats")
dump("load_all", "other", [("decode", all), ("unpack", all), ("y", other)], sys.argv[1] + "/after.pstats")
PY
ptk diff -n 0 -f csv "$t/before.pstats" "$t/after.pstats" | cut -d, -f1,6,7,8,19,20,21
