# What a file says of itself any number of times is shown as often, and is one field of JSON.
{ printf 'events: Ir\n'; yes 'cmd: ./again' | head -60; printf 'fn=main\n1 7\n'; } >"$TMP_DIR/often.callgrind"
ptk info "$TMP_DIR/often.callgrind" | grep -c '^command'
ptk info -f json "$TMP_DIR/often.callgrind" | grep -c '^"command"'
