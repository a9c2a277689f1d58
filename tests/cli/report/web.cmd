# ptk web opens the page in the browser that BROWSER names, and says where it is
printf '#!/bin/sh\nprintf "%%s %%s\\n" "$(head -c 15 "$1")" "$(basename "$1")"\n' >"$TMP_DIR/browser"
chmod +x "$TMP_DIR/browser"
export BROWSER="no-such-program:$TMP_DIR/browser" TMPDIR="$TMP_DIR"
ptk web testdata/pstats/fractal.pstats 2>&1 | sed "s|$TMP_DIR/ptk-......|DIR|"
ptk web -o "$TMP_DIR/page.html" testdata/pstats/fractal.pstats 2>&1 | sed "s|$TMP_DIR|DIR|"
BROWSER=no-such-program ptk web -o "$TMP_DIR/page.html" testdata/pstats/fractal.pstats 2>&1 | sed "s|$TMP_DIR|DIR|"
