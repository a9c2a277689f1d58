"""The time and number of the kernels of each name, the longest first: kernels.py TRACE."""
import json
import sys

import pandas

with open(sys.argv[1]) as file:
    events = pandas.DataFrame(json.load(file)["traceEvents"])
kernels = events[events.cat == "kernel"].groupby("name").dur.agg(["sum", "count"]).nlargest(20, "sum")
print(json.dumps([[name, row["sum"], row["count"]] for name, row in kernels.iterrows()]))
