# perf script tells where binaries were only with --show-mmap-events; callers are where they go on. Another
# process has something else at the place.
cat >"$TMP_DIR/perf" <<END
collatz  9736 76732.175600: PERF_RECORD_COMM exec: collatz:9736/9736
collatz  9736 76732.175645: PERF_RECORD_MMAP2 9736/9736: [0x400000(0x1000) @ 0 fe:00 5654199 4159949586]: r-xp /srv/bench/collatz
other  9737 76732.175646: PERF_RECORD_MMAP2 9737/9737: [0x400000(0x1000) @ 0x2000 <0123456789abcdef>]: r-xp /srv/bench/other
other  9737 76732.175647: PERF_RECORD_MMAP2 9737/9737: [0x401000(0xfffffffffffffff0) @ 0x2000 broken]: r-xp /srv/bench/other
other  9737 76732.175648: PERF_RECORD_MMAP2 9737/9737: [0x40
collatz  9736 76732.175859:     250000 cpu-clock:ppp: 
	          4000d7 chain+0x27 (/srv/bench/collatz)
	          400108 longest+0x18 (/srv/bench/collatz)
	          40013a _start+0xa (/srv/bench/collatz)

collatz  9736 76732.176106:     250000 cpu-clock:ppp: 
	          4000d2 next+0x22 (inlined)
	          4000d2 chain+0x22 (/srv/bench/collatz)
	          400108 longest+0x18 (/srv/bench/collatz)
	          40013a _start+0xa (/srv/bench/collatz)

other  9737 76732.176356:     250000 cpu-clock:ppp: 
	          4000d2 chain+0x22 (/srv/bench/other)

END
ptk disasm 'chain|longest' --binary-path testdata/disasm "$TMP_DIR/perf" | grep -e : -e ms -e us -e some
grep -v MMAP "$TMP_DIR/perf" | ptk disasm chain --binary-path testdata/disasm
