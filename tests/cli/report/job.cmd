# ranks, their parts, and a trace that has all ranks: one chapter tells what slows the job
sections() { grep -oE '<section id="(answer|job)"|[Rr]ank [0-9]+ is [0-9]+ % slower[^<]*' "$TMP_DIR/page.html" | head -n 4; }
ptk report -o "$TMP_DIR/page.html" testdata/chrome/job/* && sections
for rank in 0 1 2 3; do ptk map -o "$TMP_DIR/job-$rank.part" testdata/chrome/job/rank00$rank.pt.trace.json.gz; done
ptk report -o "$TMP_DIR/page.html" "$TMP_DIR"/job-?.part && sections
ptk report "$TMP_DIR"/job-0.part "$TMP_DIR"/job-0.part | grep -c '<section id="job"'
# Two parts of the same rank are of two runs: what changed is told.
gzip -dc testdata/chrome/job/rank000* | sed 's/"dur": 25/"dur": 26/' | ptk map --name rank000 -o "$TMP_DIR/before.part" - &&
    ptk map -o "$TMP_DIR/after.part" testdata/chrome/job/rank000* &&
    ptk report "$TMP_DIR/before.part" "$TMP_DIR/after.part" | grep -oE '<section id="(job|changes)"'
