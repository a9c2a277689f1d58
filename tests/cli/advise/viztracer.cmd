# A trace without a device is told of as a profile of functions is.
ptk advise testdata/chrome/viztracer.json
