ptk hotspot x
