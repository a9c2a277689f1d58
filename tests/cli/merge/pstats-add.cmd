# what Python's own pstats.Stats.add says
ptk merge -o "$TMP_DIR/all.pstats" testdata/pstats/recursion_py311.pstats testdata/pstats/fractal.pstats testdata/pstats/mix_py311.pstats
python3 - "$TMP_DIR/all.pstats" testdata/pstats/recursion_py311.pstats testdata/pstats/fractal.pstats testdata/pstats/mix_py311.pstats <<'PY'
import pstats, sys
got, want = pstats.Stats(sys.argv[1]), pstats.Stats(*sys.argv[2:])

def near(a, b):
    return a[:2] == b[:2] and all(abs(x - y) < 5e-9 for x, y in zip(a[2:4], b[2:4]))

assert set(got.stats) == set(want.stats)
for key, row in want.stats.items():
    assert near(got.stats[key], row), key
    assert set(got.stats[key][4]) == set(row[4]), key
    assert all(near(got.stats[key][4][caller], row[4][caller]) for caller in row[4]), key
print(len(want.stats), "functions as pstats adds them;", got.total_calls == want.total_calls)
PY
ptk hotspots -n 3 "$TMP_DIR/all.pstats"
