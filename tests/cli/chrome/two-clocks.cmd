# The device's times count from when the machine was started: nothing is left out, but it is said.
ptk info testdata/chrome/two_clocks.json
ptk bound testdata/chrome/two_clocks.json
