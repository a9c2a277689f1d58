# Seventeen devices, each of which waits for the host: one line names them, and those that are idle outside.
ptk bound -q testdata/chrome/many_devices.json | sed -n '1,2p;$p'
