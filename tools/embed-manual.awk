# Turns man/*.txt into one C file: the prose of `ptk help` and of the manual pages.
# Puts a backslash before each `char`.
function escaped(line, char,    out, i) {
    for (i = 1; i <= length(line); i++)
        out = out (substr(line, i, 1) == char ? "\\" : "") substr(line, i, 1)
    return out
}
function literal(line) {
    return "     \"" escaped(escaped(line, "\\"), "\"") "\\n\""
}
BEGIN { print "/* made by tools/embed-manual.awk */\n#include \"cmd/help/command.h\"\n\nconst struct manual manuals[] = {" }
FNR == 1 {
    if (NR > 1) print "    },"
    name = FILENAME
    sub(/^.*\//, "", name)
    sub(/\.txt$/, "", name)
    print "    {\"" name "\","
}
{ print literal($0) }
END {
    if (NR) print "    },"
    print "    {0, 0},\n};"
}
