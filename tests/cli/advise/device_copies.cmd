# Copies within the device: no pinned memory or stream of their own hides them.
ptk advise -f csv testdata/chrome/device_copies.json | cut -d, -f2,9,13
