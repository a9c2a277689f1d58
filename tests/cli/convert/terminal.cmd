# A terminal is not filled with bytes that it cannot show, unless it is named.
on_terminal() {
    python3 -c '
import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))' "$PTK" "$@" | tr -d '\r'
}
on_terminal convert --to pprof testdata/folded/small.folded
on_terminal convert --to pstats testdata/pstats/fractal.pstats
on_terminal merge testdata/folded/small.folded testdata/folded/small.folded
on_terminal convert --to pprof -o - testdata/folded/small.folded | wc -c | awk '{ print ($1 > 100) }'
on_terminal convert --to folded testdata/folded/small.folded | head -1
