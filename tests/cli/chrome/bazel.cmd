# What is on the critical path is written elsewhere too; a thread 0 has its name.
ptk info testdata/chrome/bazel.json
ptk hotspots -f csv testdata/chrome/bazel.json
