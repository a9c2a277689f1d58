# a tree that nobody reads is bounded: its widest branches stay, and what is left out is said
i=0
while [ $i -lt 12000 ]; do echo "main;f$i $i"; i=$((i + 1)); done | ptk tree --min-percent 0 - | sed -n '1,5p; $p'
