# every call of a function: when, how long, in which step, launched by what, with what the file says of it
T=testdata/chrome/overlap.json
ptk events Kernel2 $T
ptk events --sort duration -n 3 -f csv elementwise $T
ptk events --step 2 -n 1 -f md Memcpy $T
ptk events -n 1 -f json 'aten::mm' testdata/chrome/roofline.json
ptk events --device 3 Kernel2 $T || echo "status $?"
# samples over time
ptk events -n 2 . testdata/cpuprofile/old.cpuprofile
ptk events nothing_like_it $T || echo "status $?"
ptk events row testdata/pstats/fractal.pstats || echo "status $?"
