# Segments as they are at the end, with what is free of them; on the page with their blocks and what allocated them.
ptk info -q -f json testdata/torch-memory/expandable_pending.pickle | python3 -c 'import json, sys
for row in json.load(sys.stdin)["allocator_segments"]: print(*row.values())'
ptk report -q testdata/torch-memory/expandable_pending.pickle | sed -n '/class="segments"/,/<\/script>/p' | sed 's/.*class="segments">//'
# Two devices, and a snapshot without a history.
ptk report -q testdata/torch-memory/two_oom_full.pickle | grep -oE '"device":[0-9]+,"address":"0x7f0000000000".*'
ptk report -q tests/fuzz/seeds/torch-memory/steady_segments_only | grep -oE '<p>[^<]*(allocator|free)[^<]*'
