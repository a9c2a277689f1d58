ptk callers
