# what a mode does not count is no column of zeros
printf '{"dhatFileVersion":2,"mode":"copy","verb":"Copied","bklt":false,"bkacc":false,"cmd":"./app","te":10,"pps":[{"tb":500,"tbk":3,"fs":[1,2]}],"ftbl":["[root]","0x1: memmove (vg_replace_strmem.c:1)","0x2: main (app.c:3)"]}' | ptk hotspots --value all -f csv -
