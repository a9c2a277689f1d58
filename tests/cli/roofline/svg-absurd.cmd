# An axis has an end, whatever is claimed.
ptk roofline -f svg --peak-tflops 1e300 testdata/chrome/roofline.json | xmllint --noout - && echo drawn
ptk roofline -f svg --flops sgemm=1e300 --bytes sgemm=1e-300 testdata/chrome/roofline.json | xmllint --noout - && echo drawn
