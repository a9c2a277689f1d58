# The occupancy from which a kernel is named is one limit, which the option moves.
ptk advise -q --threshold occupancy=5% testdata/chrome/low-occupancy.json | sed -n 1,2p
ptk advise -q --threshold occupancy=13% testdata/chrome/low-occupancy.json | sed -n 5,8p
ptk roofline -q --threshold occupancy=5% testdata/chrome/low-occupancy.json | grep -c low-occupancy
ptk advise -q --threshold no_tensor_cores=30% testdata/chrome/low-occupancy.json
