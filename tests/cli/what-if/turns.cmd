# The backward pass's thread begins 400 us after the forward pass ended, on another thread that is silent until it
# ends, and 250 us before that one goes on: an operator of the forward pass that is left out moves all that follows.
ptk what-if --remove gelu$ testdata/chrome/turns.json
ptk what-if --remove AddmmBackward0 testdata/chrome/turns.json
