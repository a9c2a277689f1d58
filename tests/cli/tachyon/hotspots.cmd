# both layouts of the header, both byte orders, packed and plain: the same program, so the same answer
ptk hotspots -q -n 4 testdata/tachyon/zstd.bin
ptk hotspots -q -n 4 testdata/tachyon/old-big-endian.bin
ptk info testdata/tachyon/old-big-endian.bin | sed -n '/^format/,$p'
ptk lines -n 3 testdata/tachyon/zstd.bin
# threads of the same number in two interpreters have stacks of their own; who waits for the GIL
ptk labels testdata/tachyon/interpreters.bin
ptk hotspots -n 2 --focus-label 'state=waits for the GIL' testdata/tachyon/interpreters.bin
# frames of the sampler's own, and samples without any
ptk tree --min-percent 0 testdata/tachyon/synthetic.bin
ptk hotspots testdata/tachyon/empty-stack.bin
