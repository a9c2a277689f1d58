# what the debugger of Firefox before 80 exports has the profile within, before or after figures of its own
{ printf '{"label":"a","markers":[{"processType":0}],"profile":'; cat testdata/firefox/gecko-34.json; printf ',"fileType":"Recorded Performance Data"}'; } | ptk hotspots -n 3 -
{ printf '{"profile":'; cat testdata/firefox/gecko-34.json; printf ',"threads":[],"meta":{}}'; } | ptk hotspots -n 3 -
ptk hotspots -n 3 testdata/firefox/gecko-34.json
