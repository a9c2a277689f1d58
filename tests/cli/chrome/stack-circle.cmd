# stacks whose parents lead in a circle have no function twice
cat <<'END' | ptk tree --min-percent 0 -
{"traceEvents": [], "samples": [{"ts": 1, "tid": 1, "sf": 1}, {"ts": 9, "tid": 1, "sf": 2}],
"stackFrames": {"1": {"name": "hen", "parent": 2}, "2": {"name": "egg", "parent": 1}}}
END
