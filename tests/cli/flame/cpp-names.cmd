# what is written in boxes too narrow for a C++ name
ptk flame --min-percent 4 testdata/recorded/matrix.callgrind | sed 's/>/&\n/g' | sed -n 's/^\([^<>]*::[^<>]*\)<\/text>$/\1/p' | sort -u
