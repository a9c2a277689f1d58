# Pages and pictures are no text: a terminal gets them where -o - says so.
on_terminal() {
    python3 -c '
import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))' "$PTK" "$@" | tr -d '\r'
}
on_terminal report testdata/pstats/fractal.pstats
on_terminal flame testdata/folded/small.folded
on_terminal timeline testdata/chrome/overlap.json
on_terminal weblist main testdata/pprof/go_service.pb.gz
on_terminal overlap -f svg testdata/chrome/overlap.json
on_terminal map testdata/chrome/overlap.json
on_terminal flame -o - testdata/folded/small.folded | wc -l | awk '{ print ($1 > 10) }'
ptk flame testdata/folded/small.folded | wc -l | awk '{ print ($1 > 10) }'
