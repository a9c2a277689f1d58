ptk merge
