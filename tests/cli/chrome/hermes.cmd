# Hermes writes places into the names of its stacks' functions
cat <<'END' | ptk hotspots -f csv -
{"traceEvents": [{"ph": "M", "name": "thread_name", "pid": 1, "tid": "2", "args": {"name": "js"}}],
"samples": [{"ts": "10", "tid": "2", "sf": 1}, {"ts": "30", "tid": "2", "sf": 2},
            {"ts": "60", "tid": "2", "sf": 3}, {"ts": "70", "tid": "2", "sf": 1}],
"stackFrames": {"1": {"name": "[root]"}, "2": {"name": "f(http://a/b.js?p=(1):12:3)", "parent": 1},
                "3": {"name": "no(place)", "parent": 2}, "4": {"name": ""}}}
END
