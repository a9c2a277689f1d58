# A function whose code stands in its caller's is one function with what it is elsewhere.
printf '%s\n' "# Samples: 4  of event 'cycles'" '# Event count (approx.): 4000' '#' '# Overhead  Command  Symbol    ' '# ........  .......  ..........' \
    '    75.00%  app      [.] slow' '            |' '            ---slow' '               main' '               start (inlined)' '    25.00%  app      [.] start' | ptk tree -
