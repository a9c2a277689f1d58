# Limits that no job passes, and such that all pass.
for limit in not_slow=200% slow_transfers=0 slower=0 clock_us=0 apart_us=0 alike=0 slow_job=0 late=0; do
    echo "$limit: $(ptk job -q -f json --threshold $limit testdata/chrome/job | grep -o '"kind":"[^"]*"' | sort -u | tr '\n' ' ')"
done
ptk job --threshold slow=1 testdata/chrome/job || echo "status $?"
