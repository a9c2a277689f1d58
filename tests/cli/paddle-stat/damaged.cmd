ptk() { "$PTK" "$@" --from paddle-stat -; echo "exit $?"; }
printf 'Stat=a total=1 count=2\nStat= total=1 count=1\nStat=b total=x count=1\nStat=c total=-1 count=1\nStat=d total=1\nStat=e total=99999999999999999999 max=1e30 min=2 count=9223372036854775807\nxStat=f total=1 count=1\n' | ptk hotspots
printf 'no timer here\n' | ptk hotspots
