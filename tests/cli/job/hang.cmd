cd testdata/flight-recorder
for case in missing_rank type_mismatch size_mismatch group_order not_started p2p_size_mismatch; do ptk job $case; done
ptk job -q healthy_json
ptk job missing_rank/trace_0 missing_rank/trace_1 missing_rank/trace_3 | head -3
ptk map missing_rank/trace_[01] | ptk reduce -o "$TMP_DIR/01.part" - && ptk map -o "$TMP_DIR/23.part" missing_rank/trace_[23] &&
    ptk job -f json "$TMP_DIR/01.part" "$TMP_DIR/23.part" | grep kind
head -c 900 missing_rank/trace_0 | ptk job -
head -c 900 healthy_json/trace_0 | ptk job -
ptk info missing_rank/trace_2
