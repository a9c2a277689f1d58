# A profile with two comments, a duration and an address of its documentation: all arrive.
printf '\012\004\010\001\020\002\022\002\020\007\152\002\003\004\120\005\170\005\062\000\062\003cpu\062\013nanoseconds\062\003one\062\003two\062\022https://ptk.test/x' >"$TMP_DIR/facts.pb"
ptk convert --to pprof -o "$TMP_DIR/again.pb" "$TMP_DIR/facts.pb" 2>/dev/null
ptk info --format csv "$TMP_DIR/again.pb" | grep -v again.pb
