# rocm-profile-data: processes of GPUs of several nodes, all numbers text.
ptk info testdata/chrome/rpd.json
ptk tree --value device testdata/chrome/rpd.json
