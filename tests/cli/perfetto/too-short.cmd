head -c 3 testdata/perfetto/chrome.pftrace | ptk info --from perfetto -
