# The picture of parts of the program: from a step's device work before, part by part, to that after.
ptk diff -f svg testdata/structural/fused-norm.a.json.gz testdata/structural/fused-norm.b.json.gz |
    grep -o '<title>[^<]*\|<text[^>]*>[^<]*' | sed 's/<[^>]*>//'
