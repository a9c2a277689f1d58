# The time of each name, the longest first: what `ptk hotspots` answers, without nesting.
reduce (.traceEvents[] | select(.ph == "X")) as $e ({}; .[$e.name] += $e.dur)
| to_entries | sort_by(-.value) | .[:20]
