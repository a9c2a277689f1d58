ptk brief testdata/chrome/works-on-after-steps.json
