"$PTK" job --ideal median --step 1 -f csv testdata/chrome/job
"$PTK" job -f md --by type -n 1 testdata/chrome/job | head -30
