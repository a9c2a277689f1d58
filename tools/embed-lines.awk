# Turns style sheets and scripts into one C file: a list of lines for each.
function escaped(line, char,    out, i) {
    for (i = 1; i <= length(line); i++)
        out = out (substr(line, i, 1) == char ? "\\" : "") substr(line, i, 1)
    return out
}
BEGIN { print "/* made by tools/embed-lines.awk */\n#include \"render/svg/assets.h\"" }
FNR == 1 {
    if (NR > 1) print "    0,\n};"
    name = FILENAME
    sub(/^.*\//, "", name)
    sub(/\./, "_", name)
    print "\nconst char *const asset_" name "[] = {"
}
{ print "    \"" escaped(escaped($0, "\\"), "\"") "\\n\"," }
END { print "    0,\n};" }
