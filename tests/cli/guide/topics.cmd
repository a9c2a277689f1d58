# the whole guide names all that its sections are, in a few thousand bytes; one section; none of that name
ptk guide | grep '^[A-Z]'
ptk guide | awk '{ bytes += length($0) + 1 } END { print (bytes <= 9000 ? "at most 3000 tokens" : bytes) }'
ptk guide CPU
ptk guide nothing
ptk guide cpu memory
