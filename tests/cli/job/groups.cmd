# Each process group by itself, and all of one use together.
"$PTK" job --by group -n 3 testdata/chrome/job | sed -n '/By process group/,/^$/p'
"$PTK" job --by group -f csv testdata/chrome/job
"$PTK" job --by collective -f csv testdata/chrome/job
