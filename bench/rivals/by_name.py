"""The time of each name, the longest first: what `ptk hotspots` answers, without nesting."""
import json
import sys

import pandas

with open(sys.argv[1]) as file:
    events = pandas.DataFrame(json.load(file)["traceEvents"])
print(events[events.ph == "X"].groupby("name").dur.sum().nlargest(20))
