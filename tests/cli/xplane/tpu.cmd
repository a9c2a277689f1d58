# A loop is around its body; operators that run beside the others, and what is made from them, take no time of it.
ptk hotspots testdata/xplane/tpu.xplane.pb; ptk roofline --peak-tflops 197 testdata/xplane/tpu.xplane.pb
