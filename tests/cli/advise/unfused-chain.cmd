# What is a chain is a threshold of who asked, in the evidence, too.
"$PTK" advise --threshold chain=3.5 testdata/chrome/unfused.json | grep -A 6 'Each of several'
