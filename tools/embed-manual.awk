# Turns man/*.txt into one C file: the prose of `ptk help` and of the manual pages.
function literal(line) {
    gsub(/\\/, "\\\\", line)
    gsub(/"/, "\\\"", line)
    return "     \"" line "\\n\""
}
BEGIN { print "/* made by tools/embed-manual.awk */\n#include \"cmd/manual.h\"\n\nconst struct manual manuals[] = {" }
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
