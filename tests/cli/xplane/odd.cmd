# One row in two pieces; kinds that no table has; sums, which have no place in time; fields of the future.
for name in line_twice_display_id unknown_ids num_occurrences future_fields; do
    ptk hotspots -n 0 tests/fuzz/seeds/xplane/$name || echo "exit $?"
done
