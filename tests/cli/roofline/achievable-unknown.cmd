ptk roofline --achievable measured --gpu L40S testdata/chrome/precisions.json
