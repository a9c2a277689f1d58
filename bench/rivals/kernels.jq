# The time and number of the kernels of each name, the longest first.
[.traceEvents[] | select(.cat == "kernel")] | group_by(.name)
  | map([.[0].name, (map(.dur) | add), length]) | sort_by(-.[1]) | .[:20]
