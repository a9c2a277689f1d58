ptk --version
