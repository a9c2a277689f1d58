head -c 20000 testdata/rocprof/run_results.json >"$TMP_DIR/cut.json"
ptk hotspots --value time "$TMP_DIR/cut.json" 2>&1 | sed "s|$TMP_DIR/||"
printf '{"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dispatch": []}}]}' >"$TMP_DIR/empty.json"
ptk hotspots "$TMP_DIR/empty.json" 2>&1 | sed "s|$TMP_DIR/||"
