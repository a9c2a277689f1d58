# of a panic, with what came before; cut within a frame; without a goroutine
printf 'panic: oops\n\ngoroutine 1 [chan receive, 12 minutes, locked to thread]:\nmain.(*T[...]).Get(0x1, {0x2, 0x3})\n\t/srv/main.go:7 +0x1d\nmain.main()\n\t/srv/main.go:3 +0x2\nexit status 2\n\ngoroutine 7 [running]:\nmain.cut(0x' | ptk traces -
printf 'goroutine 1 [running]:\n' | ptk hotspots -
ptk hotspots --from goroutines testdata/folded/small.folded || echo "status $?"
