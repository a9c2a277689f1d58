# Field numbers changed from release to release, and none says which it is.
for release in v1_7 v1_8 v1_10_timestamps; do ptk hotspots -f csv tests/fuzz/seeds/otlp/$release; done
