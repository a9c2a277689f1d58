# who ran, who waited for a processor, what was marked; CPU time of marked ranges
ptk hotspots testdata/ftrace/tgid.txt
ptk hotspots --value cpu --by thread testdata/ftrace/tgid.txt
ptk info testdata/ftrace/tgid.txt | sed -n '/^format/,$p'
# as trace-cmd prints it; commands with colons, blanks and what separates fields
ptk info testdata/ftrace/trace-cmd.txt | sed -n '/^track/,$p'
ptk hotspots --value cpu testdata/ftrace/trace-cmd.txt
ptk hotspots tests/fuzz/seeds/ftrace/names
