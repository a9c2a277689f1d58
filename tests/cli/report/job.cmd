# ranks, their parts, and a trace that has all ranks: one chapter tells what slows the job
sections() { grep -oE '<section id="(answer|job)"|<article data-rule="[^"]*"|[Rr]ank [0-9]+ is [0-9]+ % slower[^<]*' "$TMP_DIR/page.html" | head -n 6; }
ptk report -o "$TMP_DIR/page.html" testdata/chrome/job/* && sections
for rank in 0 1 2 3; do ptk map -o "$TMP_DIR/job-$rank.part" testdata/chrome/job/rank00$rank.pt.trace.json.gz; done
ptk report -o "$TMP_DIR/page.html" "$TMP_DIR"/job-?.part && sections
ptk report "$TMP_DIR"/job-0.part "$TMP_DIR"/job-0.part | grep -c '<section id="job"'
# Two parts of the same rank are of two runs: what changed is told.
gzip -dc testdata/chrome/job/rank000* | sed 's/"dur": 25/"dur": 26/' | ptk map --name rank000 -o "$TMP_DIR/before.part" - &&
    ptk map -o "$TMP_DIR/after.part" testdata/chrome/job/rank000* &&
    ptk report "$TMP_DIR/before.part" "$TMP_DIR/after.part" | grep -oE '<section id="(job|changes)"'
# One trace that has all ranks in it: what its chapter names stands in the page, too.
awk 'BEGIN {
    print "{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"DP rank 0\"}}"
    split("compute pp-comm tp-comm dp-comm misc", classes, " ")
    for (rank = 0; rank < 2; rank++) {
        for (class = 0; class < 5; class++)
            printf ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":%d,\"args\":{\"name\":\"PP rank %d, TP rank 0, %s\"}}", rank * 5 + class, rank, classes[class + 1]
        for (step = 0; step < 3; step++) {
            split("forward-compute backward-compute optimizer", names, " ")
            for (i = 1; i <= 3; i++)
                printf ",\n{\"ph\":\"X\",\"name\":\"%s\",\"pid\":0,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{\"step\":%d,\"model_chunk\":0,\"mb_id\":0,\"seq_id\":0}}", names[i], rank * 5 + (i == 3 ? 3 : 0), step * 1000 + i * 200 + rank * 20, 100 + rank * 80, step
        }
    }
    print "]}"
}' >"$TMP_DIR/phases.json"
ptk report -o "$TMP_DIR/page.html" "$TMP_DIR/phases.json" && sections
sed -n '/<section id="job"/,/<\/section>/p' "$TMP_DIR/page.html" | grep -oE '(forward|backward)-compute' | sort | uniq -c
# Its functions are phases of all ranks: that one of them takes much is no finding.
grep -c hot-function "$TMP_DIR/page.html"
ptk advise "$TMP_DIR/phases.json" | head -n 3
ptk brief "$TMP_DIR/phases.json" | grep -E '^(Steps|next)' | sed 's|/[^ ]*/||'
# A recorder of collectives: the card is what stops the job, not what its files cannot know.
ptk report -o "$TMP_DIR/page.html" testdata/flight-recorder/missing_rank && grep -oE '<(h1|h3)>[^<]*|(collectives|not recorded) [0-9.]+ ms[^<]*' "$TMP_DIR/page.html"
