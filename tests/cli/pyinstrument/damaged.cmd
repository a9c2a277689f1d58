ptk() { "$PTK" hotspots --from pyinstrument -n 3 "$@" -; echo "exit $?"; }
# no tree, no frame, times and lines that are none, children that have more, cut within a frame
printf '{"session":{"sample_count":"x","duration":-1,"target_description":7},"frame_tree":null}' | ptk
printf '{"root_frame":{}}' | ptk
printf '{"root_frame":{"function":"a","line_no":-4,"time":"x","children":[{"function":"b","time":2e300},{"identifier":"c\\u0000d.py\\u0000-1","time":-1},7]}}' | ptk
printf '{"frame_tree":{"identifier":"[self]","time":1,"children":[{"identifier":"f","time":3,"children":[{"ident' | ptk
