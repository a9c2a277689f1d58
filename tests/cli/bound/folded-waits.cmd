# Counted samples: much waiting tells that they are of the wall clock, and the most of it is the verdict.
printf 'main;serve (app.py:3);accept (/usr/lib/python3.11/socket.py:294) %s\n' 30 >"$TMP_DIR/waits"
printf 'main;get (app.py:9);wait (/usr/lib/python3.11/threading.py:320) %s\n' 50 >>"$TMP_DIR/waits"
printf 'main;work (app.py:20) %s\n' 20 >>"$TMP_DIR/waits"
ptk bound - <"$TMP_DIR/waits"
