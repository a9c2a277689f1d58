# A norm and its scale, a product and its activation recur under their operators; what occurs once, or alone, does not. A
# product is computed all the same: fusing saves at most the gap and the activation.
sequences() { ptk overlap -q --sequences "$@" testdata/chrome/sequences.json; }
sequences | sed -n '/recur/,$p'
sequences --focus '^block$' | sed -n '/recur/,$p'
sequences -n 1 | tail -1
sequences -f json | sed -n '/"sequences"/,$p'
ptk overlap -q --sequences testdata/chrome/overlap.json | tail -1
