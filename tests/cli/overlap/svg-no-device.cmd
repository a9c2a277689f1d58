ptk overlap -f svg testdata/chrome/memory_no_device.json
