# ratios are of the counts; the last report counts; both ways of writing thousands
report() {
    printf ' Performance counter stats for "./app":\n'
    printf '  %s  %s  # 1.0 of something  (66.64%%)\n' "$@"
    printf '\n   2,000000000 seconds time elapsed\n'
}
report '1.050,25' 'msec task-clock' '2.000.000.000' cycles:u '4.200.000.000' instructions:u 7 unknown-event | ptk info
{ report 5 cycles; report 1,000 branches 125 branch-misses 0 LLC-loads 0 LLC-load-misses 3 major-faults; } | ptk info
