# kernels below scopes and functions; every metric that is a number is a value
ptk hotspots testdata/proton/two_devices.hatchet
ptk tree testdata/proton/two_devices.hatchet
ptk hotspots -n 1 --value flops16 testdata/proton/two_devices.hatchet
ptk info testdata/proton/two_devices.hatchet | sed -n '/^format/,$p'
# other units, what cannot be summed, a name with its line; cut
ptk hotspots tests/fuzz/seeds/proton/odd
ptk hotspots --value num_samples tests/fuzz/seeds/proton/odd
head -c 700 testdata/proton/two_devices.hatchet | ptk hotspots -n 2 -
