# figures beyond 64 bits, without digits, and no counters at all
begin=' Performance counter stats for x:\n'
printf "$begin 99999999999999999999 cycles\n 123456789012345678901234567890123456789 branches\n 1..2,,3 msec task-clock\n 12 page-faults\n" | ptk info
printf "$begin , cycles\n" | ptk info || echo "status $?"
printf "$begin" | ptk info || echo "status $?"
