# Logs whose lines end in numbers are no stacks, and no name of a format makes them a guess.
printf 'openat(AT_FDCWD, "a;b", O_RDONLY) = 3\nclose(3) = 0\n' | ptk hotspots
printf 'Nov 23 22:51:14 host sshd[1]: port 22\nNov 23 22:51:15 host sshd[1]: port 23\n' | ptk hotspots
printf 'main 10\nparse 20\nmain;emit 1\n' | ptk hotspots
printf 'main 10\nparse 20\nmain;emit 1\n' | ptk hotspots --from folded
printf '\n\ntotal 3\nsome words that are no profile\n' | ptk hotspots
printf '2026-11-23 10:00 hello\nProcessing\n' | ptk hotspots
printf 'J is a letter, B is one, too, and so are others here\n' | ptk hotspots
