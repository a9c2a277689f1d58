ptk summary -t memory testdata/chrome/memory_no_device.json
