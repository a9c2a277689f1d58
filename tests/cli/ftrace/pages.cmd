# systrace's page, newer and older; a text with the line ends of the latter
{ echo '<!DOCTYPE html>'; echo '<script class="trace-data" type="application/text">'; cat testdata/ftrace/tgid.txt; echo '</script>'; } | ptk hotspots -n 2 -
{ echo '<html>'; echo 'var linuxPerfData = "\'; sed 's/$/\\n\\/' testdata/ftrace/tgid.txt; echo '         \n";'; } | ptk hotspots -n 2 -
sed 's/$/\\n\\/' testdata/ftrace/tgid.txt | ptk hotspots -n 2 -
# atrace's head; what the buffer lost; cut within a line
{ echo 'TRACE:'; cat testdata/ftrace/tgid.txt; } | ptk hotspots -n 2 -
ptk hotspots -n 2 tests/fuzz/seeds/ftrace/lost
head -c 10000 testdata/ftrace/tgid.txt | ptk hotspots -n 2 -
# packed by atrace -z; a page without a trace
printf 'TRACE:\nx\234\113\114\112\6\0\2\115\1\47' | ptk hotspots -
echo '<!DOCTYPE html><p>nothing' | ptk hotspots -
