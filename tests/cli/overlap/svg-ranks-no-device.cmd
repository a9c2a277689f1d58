ptk overlap -f svg testdata/chrome/node.json testdata/chrome/viztracer.json
