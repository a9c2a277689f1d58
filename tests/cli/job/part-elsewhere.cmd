# A part is a profile of its ranks' device work, and of each rank's steps.
cd testdata/chrome/job && ptk map -o "$TMP_DIR/01.part" rank00[01]* && ptk map -o "$TMP_DIR/23.part" rank00[23]* && cd "$TMP_DIR" || exit
ptk reduce -o job.part 01.part 23.part
ptk info job.part
ptk hotspots -n 3 -f csv job.part
ptk diff -n 2 01.part 23.part
ptk overlap 01.part 23.part
ptk overlap -f csv job.part
ptk summary -t steps job.part
ptk summary -t steps -f json 23.part | tail -5
ptk overlap -f svg job.part
ptk timeline job.part
