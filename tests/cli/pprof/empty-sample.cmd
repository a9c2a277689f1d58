# a sample without values is refused where it stands, before a bomb of them is kept
printf '\012\004\010\001\020\002\022\000\062\000\062\001s\062\001n' | ptk info --from pprof -
