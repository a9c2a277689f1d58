# As JSON: a message a line, the second one in the form of 1.7, with the tables before what needs them
ptk hotspots testdata/otlp/lines.json
ptk hotspots --value samples testdata/otlp/lines.json
ptk labels testdata/otlp/lines.json
# cut within the second message, which needs no more tables; within the first; followed by something else
head -c 3900 testdata/otlp/lines.json | ptk hotspots -
head -c 1000 testdata/otlp/lines.json | ptk hotspots -
{ head -n 1 testdata/otlp/lines.json; echo 'what?'; } | ptk hotspots -n 1 -
# a second message without tables: the place is that of its text
{ head -n 1 testdata/otlp/lines.json; echo '{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":[{"stackIndex":1}]}]}]}]}'; } | ptk hotspots -
