# What ran beside collectives is not in the file: it cannot say that the device was idle, or that nothing hid them.
for file in nccl-inspector/node0-pid4000.log flight-recorder/missing_rank/trace_0; do
    ptk advise testdata/$file
    ptk bound testdata/$file | head -n 5
    ptk brief testdata/$file
    ptk amdahl testdata/$file | head -n 1
done
