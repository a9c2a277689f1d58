ptk --version | sed 's/, commit [0-9a-f]*\(-dirty\)\{0,1\}$//'
