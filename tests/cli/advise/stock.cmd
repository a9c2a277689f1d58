# Goroutines that are there cost no time: nothing could be saved.
printf 'goroutine profile: total 5\n3 @ 0x10 0x20\n#\t0xf\tmain.work+0xf\t/srv/main.go:9\n#\t0x1f\tmain.main+0x1f\t/srv/main.go:20\n\n2 @ 0x30\n#\t0x2f\tmain.idle+0x2f\t/srv/main.go:30\n\n' >"$TMP_DIR/goroutine.txt"
ptk hotspots "$TMP_DIR/goroutine.txt"
ptk advise "$TMP_DIR/goroutine.txt"
