for by in category kind file; do
    ptk critical-path -q --by $by -n 6 testdata/chrome/overlap.json | sed -n '/^What ran/,/^$/p'
done
ptk critical-path -q --by category -n 1 -f json testdata/chrome/overlap.json | sed -n '/"rows"/,$p'
ptk what-if -q --by category --remove kind:kernel testdata/chrome/overlap.json | sed -n '/^What runs/,/^$/p'
