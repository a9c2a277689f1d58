# A folder of ranks' traces is a job: what is no trace is passed over, and the page has a timeline of each rank on one clock.
mkdir "$TMP_DIR/report-folder" && cp testdata/chrome/job/* "$TMP_DIR/report-folder" && echo text >"$TMP_DIR/report-folder/zz.txt"
"$PTK" report -q -o "$TMP_DIR/page.html" "$TMP_DIR/report-folder" &&
    grep -oE '<section id="job"|class="index"( data-[a-z]*="[0-9-]*")*|[0-9]+ other ranks: [^<]*' "$TMP_DIR/page.html"
mkdir "$TMP_DIR/report-none"
cd "$TMP_DIR" && "$PTK" report report-none
