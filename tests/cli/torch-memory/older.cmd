# Without a history, with a short one, or as PyTorch 2.0 had it: the end is the same.
for name in steady_protocol2 steady_segments_only steady_short_history steady_old_history; do
    ptk info tests/fuzz/seeds/torch-memory/$name | grep -x 'reserved .*\|allocated  *[0-9].*\|peak  *[0-9].*\|blocks from before.*'
    ptk hotspots -f csv --value end tests/fuzz/seeds/torch-memory/$name | head -4
done
