# the program of zstd.bin, as functions: the samples of each are the same, those below it are limits where it calls itself
ptk hotspots -n 4 testdata/tachyon/table.jsonl
ptk hotspots -q -n 4 --value time testdata/tachyon/table.jsonl
ptk info testdata/tachyon/table.jsonl | sed -n '/^format/,$p'
ptk lines -n 3 testdata/tachyon/table.jsonl
# no callers in the file; cut before the end; a line that is none, and an entry of a frame that is not there
ptk callers testdata/tachyon/table.jsonl 'forward$'
head -n 4 testdata/tachyon/table.jsonl | ptk hotspots -n 1 -
{ head -n 3 testdata/tachyon/table.jsonl; echo '{"type":"agg","scope":"final","entries":[{"frame_id":99999,"self":1,"cumulative":1}]}'; echo no JSON; tail -n 2 testdata/tachyon/table.jsonl; } | ptk hotspots -n 1 -
