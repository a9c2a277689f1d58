# One rank alone: most of its transfers wait for the other one, and a smaller type is no cure.
ptk advise -q testdata/chrome/job/rank000.pt.trace.json.gz
ptk advise --all testdata/chrome/job/rank000.pt.trace.json.gz | grep -E '^(communication|hidden-communication) '
