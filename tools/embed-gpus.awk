# Turns analysis/kernels/gpus.txt into a C table. A pattern may hold blanks: the last twelve fields are the
# figures and the source.
BEGIN { print "/* made by tools/embed-gpus.awk */\n#include \"analysis/kernels/roofline.h\"\n\nconst struct gpu gpus[] = {" }
/^#/ || NF == 0 { next }
NF < 13 { print FILENAME ":" FNR ": a row has thirteen fields" > "/dev/stderr"; exit 1 }
{
    pattern = $1
    for (i = 2; i <= NF - 12; i++) pattern = pattern " " $i
    printf "    {\"%s\", {%se12, %se12, %se12, %se12, %se12, %se12, %se12}, %se9, %se9, %s * 1048576.0, %s, \"%s\"},\n", pattern,
        $(NF - 11), $(NF - 10), $(NF - 9), $(NF - 8), $(NF - 7), $(NF - 6), $(NF - 5), $(NF - 4), $(NF - 3), $(NF - 2), $(NF - 1), $NF
}
END { print "    {0},\n};" }
