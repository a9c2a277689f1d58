for times in '--begin 0.5ms --end 1ms' '--begin 1900us' '--end 100000ns'; do
    ptk timeline $times testdata/chrome/overlap.json | grep -o 'step [0-9]*\|[0-9.]* [mu]s, [0-9,]* events'
done
