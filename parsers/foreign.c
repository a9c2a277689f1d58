/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c — files and folders that ptk does not read, but that people have next to what it reads: what
 * each is, and the command that turns it into a profile */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error/error.h"
#include "base/memory/span.h"
#include "base/text/pattern.h"
#include "parsers/foreign.h"

/* A file is known by how it begins, and by its name where it has no mark of its own. */
struct foreign {
    const char *names; /* ends of its names, with blanks between; NULL: any */
    struct span start; /* the bytes at `at`; empty: only the name tells, and `part`, or that it is binary */
    size_t at;
    const char *part;   /* stands within its first bytes as well; or NULL */
    const char *what;   /* "a program" */
    const char *action; /* what to do instead */
};

#define AT(place, bytes) {bytes, sizeof(bytes) - 1}, place
#define START(bytes) AT(0, bytes)
#define NO_MARK {NULL, 0}, 0

/* clang-format off */
static const struct foreign foreigns[] = {
    /* ---- GPUs ---- */
    {".nsys-rep .qdrep", NO_MARK, NULL, "a report of NVIDIA Nsight Systems",
     "nsys export -t sqlite FILE, then ptk FILE.sqlite"},
    {".qdstrm", NO_MARK, NULL, "a recording of Nsight Systems that is not imported yet",
     "QdstrmImporter -i FILE, then nsys export -t sqlite, then ptk"},
    {".ncu-rep", START("NVR\0"), NULL, "a report of NVIDIA Nsight Compute",
     "ncu --import FILE --csv --page raw >FILE.csv, then ptk FILE.csv"},
    {".parquet", START("PAR1"), NULL, "a Parquet table, such as nsys export -t parquetdir writes",
     "nsys export -t sqlite of the .nsys-rep, then ptk"},
    {".arrow", START("ARROW1"), NULL, "an Apache Arrow table, such as nsys export -t arrowdir writes",
     "nsys export -t sqlite of the .nsys-rep, then ptk"},
    {".h5 .hdf", START("\x89HDF\r\n\x1a\n"), NULL, "an HDF5 file, such as nsys export -t hdf writes",
     "nsys export -t sqlite of the .nsys-rep, then ptk"},
    {NULL, START("{"), "\"CudaEvent\":", "JSON lines of nsys export -t jsonlines",
     "nsys export -t sqlite of the .nsys-rep, then ptk"},
    {NULL, START("{"), "\"TraceProcessEvent\":", "JSON lines of nsys export -t jsonlines",
     "nsys export -t sqlite of the .nsys-rep, then ptk"},
    {NULL, START("<?xml"), "<session", "a session of the Visual Profiler, which names a profile",
     "read the profile itself, which nvprof -o FILE.nvprof writes"},
    {NULL, START("# CUDA_PROFILE_LOG_VERSION"), NULL, "a log of CUDA's profiler before nvprof, a text to read as it is",
     "record the run anew: nsys profile, then nsys export -t sqlite, then ptk"},
    {NULL, START("device,HBMBw"), NULL, "a list of ceilings that rocprof-compute measured",
     "ptk roofline takes them by --peak-gbs and --peak-tflops, next to the trace of a run"},
    {NULL, START("[[-1, "), NULL, "the raw form of a memory timeline of PyTorch's profiler",
     "torch.cuda.memory._dump_snapshot(FILE), then ptk FILE: it has the stacks, too"},
    {NULL, START("workload_name,"), ",gpu_model,", "what rocprof-compute says of a machine",
     "the times are next to it, in timestamps.csv"},
    /* ---- high performance computing ---- */
    {".hpcrun", START("HPCRUN-profile____"), NULL, "a measurement of HPCToolkit",
     "hpcviewer shows it after hpcprof; for ptk: perf record -g, then perf script"},
    {NULL, START("HPCTOOLKIT"), NULL, "a database of HPCToolkit",
     "hpcviewer shows it; for ptk: perf record -g, then perf script"},
    {".cali", START("__rec="), NULL, "a stream of Caliper", "cali-query -t FILE shows it"},
    {".otf2", NO_MARK, NULL, "an OTF2 archive of Score-P",
     "otf2-print shows it; SCOREP_ENABLE_PROFILING=true writes a profile for cube_dump"},
    {".cubex", AT(257, "ustar"), "anchor.xml", "a profile of Score-P or Scalasca",
     "cube_dump -c all -m time -s csv FILE shows it"},
    {NULL, AT(2, "templated_functions_MULTI_"), NULL, "a profile of TAU", "TAU's pprof -d shows it"},
    {NULL, AT(3, "templated_functions_MULTI_"), NULL, "a profile of TAU", "TAU's pprof -d shows it"},
    {NULL, AT(4, "templated_functions_MULTI_"), NULL, "a profile of TAU", "TAU's pprof -d shows it"},
    /* ---- Linux ---- */
    {NULL, START("\x75\xd1\x1d\x57"), NULL, "the metadata of a CTF trace (LTTng, barectf)",
     "babeltrace2 FOLDER prints it; of perf, read the perf.data itself"},
    {NULL, START("/* CTF 1.8 */"), NULL, "the metadata of a CTF trace (LTTng, barectf)",
     "babeltrace2 FOLDER prints it; of perf, read the perf.data itself"},
    {NULL, START("\xc1\x1f\xfc\xc1"), NULL, "a stream of a CTF trace (LTTng, barectf)",
     "babeltrace2 FOLDER prints it; of perf, read the perf.data itself"},
    {NULL, START("\x17\x08\x44tracing"), NULL, "a trace.dat of trace-cmd",
     "trace-cmd report FILE >FILE.txt, then ptk FILE.txt"},
    {NULL, START("{\"resourceSpans\""), NULL, "OpenTelemetry's traces, without profiles",
     "the collector's exporter of profiles writes what ptk reads"},
    {NULL, START("{\"resourceMetrics\""), NULL, "OpenTelemetry's metrics, without profiles",
     "the collector's exporter of profiles writes what ptk reads"},
    {NULL, START("{\"resourceLogs\""), NULL, "OpenTelemetry's logs, without profiles",
     "the collector's exporter of profiles writes what ptk reads"},
    {NULL, START("SIMPLEPERF"), NULL, "a protobuf of simpleperf report-sample",
     "simpleperf's pprof_proto_generator.py makes a profile for ptk"},
    {NULL, START("gmon"), NULL, "a dump of gprof", "gprof PROGRAM gmon.out >FILE, then ptk FILE"},
    {NULL, START("DTiJ"), NULL, "the code that a JIT compiler wrote for perf",
     "perf inject -j -i perf.data -o jit.data, then ptk jit.data"},
    {NULL, START("JiTD"), NULL, "the code that a JIT compiler wrote for perf",
     "perf inject -j -i perf.data -o jit.data, then ptk jit.data"},
    {NULL, START("execve("), ") = ", "a log of strace",
     "perf trace record PROGRAM, then ptk perf.data; strace -c counts the calls"},
    {".strace", NO_MARK, ") = ", "a log of strace",
     "perf trace record PROGRAM, then ptk perf.data; strace -c counts the calls"},
    {".prd .caperf", NO_MARK, NULL, "a recording of AMD uProf",
     "AMDuProfCLI report -i FOLDER prints it; for ptk: perf record -g"},
    {".pmc", NO_MARK, NULL, "a log of FreeBSD's hwpmc", "pmcstat -R FILE -G FILE.txt, then ptk FILE.txt"},
    /* ---- Windows and .NET ---- */
    {".etl", NO_MARK, NULL, "an ETW trace of Windows",
     "PerfView: CPU Stacks, File, Save View As, speedscope; then ptk"},
    {".etl.zip", START("PK\3\4"), NULL, "a package of PerfView",
     "PerfView: CPU Stacks, File, Save View As, speedscope; then ptk"},
    {".diagsession", START("PK\3\4"), NULL, "a session of Visual Studio's profiler",
     "open it there, and export the call tree as CSV"},
    {".vspx", START("PK\3\4"), NULL, "a report of Visual Studio's profiler",
     "VsPerfReport /summary:calltree FILE prints it"},
    {".nettrace", START("Nettrace"), NULL, "a trace of .NET's EventPipe",
     "dotnet-trace convert --format Speedscope FILE, then ptk"},
    {".gcdump", AT(4, "!FastSerialization.1"), NULL, "a heap dump of .NET",
     "dotnet-gcdump report FILE prints it"},
    /* ---- Java, JavaScript, Go, Python and others ---- */
    {".hprof", START("JAVA PROFILE 1.0."), "created", "a text of the old hprof agent",
     "asprof -d 30 -f run.jfr PID, then ptk run.jfr"},
    {".hprof", START("JAVA PROFILE 1.0."), NULL, "a heap dump of the JVM, without costs",
     "asprof -e alloc -f run.jfr PID, then ptk run.jfr"},
    {".lz4", START("\x04\x22\x4d\x18"), NULL, "an LZ4 frame", "lz4 -d FILE, then ptk"},
    {".heaptimeline", START("{\"snapshot\":{\"meta\":{"), "\"trace_function_infos\":[{",
     "an allocation timeline of V8", "node --heap-prof writes a .heapprofile, which ptk reads"},
    {".heapsnapshot .heaptimeline", START("{\"snapshot\":{\"meta\":{"), NULL,
     "a heap snapshot of V8, which has no stacks",
     "node --heap-prof writes a .heapprofile, which ptk reads"},
    {NULL, START("\4\10{"), "missed_samples", "a dump of Ruby's Marshal, as stackprof writes it",
     "stackprof --json FILE >FILE.json, then ptk FILE.json"},
    {NULL, START("go 1."), " trace\0", "an execution trace of Go",
     "go tool trace -pprof=sched FILE >sched.pb.gz (or net, sync, syscall), then ptk"},
    {".mojo", START("MOJ"), NULL, "a binary of Austin", "mojo2austin FILE FILE.austin, then ptk"},
    {NULL, START("memray\0"), NULL, "a capture of memray",
     "memray table FILE shows it; ptk reads snapshots of tracemalloc"},
    {".eventlog", START("hdrb"), NULL, "an eventlog of GHC", "hs-speedscope FILE, then ptk"},
    {".events", NO_MARK, NULL, "a ring of events of OCaml's runtime",
     "olly trace FILE.json PROGRAM, then ptk FILE.json"},
    {".xhprof", NO_MARK, NULL, "a run of PHP's XHProf", "record with excimer, for speedscope"},
    {NULL, START("{\"main()"), "==>", "a run of PHP's XHProf",
     "record with excimer, for speedscope"},
    {NULL, START("file-format: BlackfireProbe"), NULL, "a profile of Blackfire",
     "record with Xdebug, then ptk"},
    /* ---- games and desktops ---- */
    {".tracy", START("tr\375P"), NULL, "a capture of Tracy", "tracy-csvexport FILE prints its zones"},
    {".tracy", START("tlZ\4"), NULL, "an old capture of Tracy",
     "tracy-update FILE NEW, then tracy-csvexport NEW prints its zones"},
    {".tracy", START("tZst"), NULL, "an old capture of Tracy",
     "tracy-update FILE NEW, then tracy-csvexport NEW prints its zones"},
    {".opt", NO_MARK, NULL, "a capture of Optick", "its own viewer shows it"},
    {".perf.session", NO_MARK, NULL, "a session of Superluminal", "its own viewer shows it"},
    {".trace.zip", START("PK\3\4"), NULL, "a packed trace of Instruments",
     "unzip it, then xcrun xctrace export --input FOLDER --xpath '//table[@schema=\"time-profile\"]' "
     ">FILE.xml, then ptk FILE.xml"},
    {NULL, START("Date/Time:"), "Heaviest stack", "a text of spindump",
     "sample PID -file FILE records stacks on macOS"},
    /* ---- machine learning ---- */
    {".et _et.json", START("{"), "\"schema\": \"1.", "an execution trace of PyTorch, without times",
     "read the trace of the same run, which torch.profiler writes"},
    {NULL, AT(24, "brain.Event:2"), NULL, "a log of TensorBoard",
     "read plugins/profile/*/*.xplane.pb, next to it"},
    {".hlo", START("HloModule"), NULL, "a program of XLA", "read *.xplane.pb of a run"},
    {".wandb", START(":W&B"), NULL, "a log of Weights & Biases", "read the trace of the run itself"},
    /* ---- programs and what compilers count ---- */
    {NULL, AT(16, "\4\0"), "\x7f" "ELF", "a core dump", "gdb opens it; a profile is of a run"},
    {NULL, START("\x7f" "ELF"), NULL, "a program", "profile a run of it, and read what that writes"},
    {NULL, START("\xcf\xfa\xed\xfe"), NULL, "a program of macOS",
     "profile a run of it: sample PID -file FILE"},
    {NULL, START("\xca\xfe\xba\xbe"), NULL, "a program of macOS, or a class of Java",
     "profile a run of it, and read what that writes"},
    {".exe .dll", START("MZ"), NULL, "a program of Windows",
     "profile a run of it, and read what that writes"},
    {".gcda", START("adcg"), NULL, "counts of gcov, without times", "gcov -b prints them"},
    {".profraw", START("\x81rforpl\xff"), NULL, "counts of LLVM's instrumentation, without times",
     "llvm-profdata show --all-functions FILE prints them"},
    {".profdata", START("\xfflprofi\x81"), NULL, "counts of LLVM's instrumentation, without times",
     "llvm-profdata show --all-functions FILE prints them"},
    {".afdo .fdata", NO_MARK, NULL, "a profile for a compiler", "read the perf.data it was made of"},
    /* ---- archives, pages and pictures ---- */
    {NULL, START("version https://git-lfs"), NULL, "what Git keeps in the place of a large file",
     "fetch the file itself: git lfs pull"},
    {".zip", START("PK\3\4"), NULL, "a zip archive", "unzip it: ptk reads what is within"},
    {".tar", AT(257, "ustar"), NULL, "a tar archive", "tar xf FILE: ptk reads what is within"},
    {".7z", START("7z\xbc\xaf\x27\x1c"), NULL, "a 7z archive", "7z x FILE: ptk reads what is within"},
    {".bz2", START("BZh"), NULL, "packed with bzip2", "bzcat FILE | ptk hotspots -"},
    {".xz", START("\xfd" "7zXZ\0"), NULL, "packed with xz", "xzcat FILE | ptk hotspots -"},
    {NULL, START("<html"), "calene", "a page of Scalene",
     "scalene --json --outfile FILE.json has the figures"},
    {NULL, START("<!DOCTYPE html"), NULL, "a web page", "download the file itself"},
    {NULL, START("<!doctype html"), NULL, "a web page", "download the file itself"},
    {NULL, START("<html"), NULL, "a web page", "download the file itself"},
    {NULL, START("<?xml"), "<svg", "a picture", "read what it was drawn of"},
    {NULL, START("<svg"), NULL, "a picture", "read what it was drawn of"},
    {".png", START("\x89PNG"), NULL, "a picture", "read what it was drawn of"},
    {".pdf", START("%PDF-"), NULL, "a document", "read what it was made of"},
};
/* clang-format on */

/* Whether the name ends in one of the words, and has something before it. */
static bool is_named(const char *names, struct span name)
{
    struct span rest = names ? span_of(names) : (struct span){0}, word;

    while ((word = span_word(&rest)).len)
        if (name.len > word.len && span_ends(name, word))
            return true;
    return false;
}

static bool has_part(const struct foreign *foreign, struct span head)
{
    enum { LOOKED_AT = 4096 };
    struct span front = {head.at, head.len < LOOKED_AT ? head.len : LOOKED_AT};

    return span_find(front, span_of(foreign->part)) != SIZE_MAX;
}

static bool begins_so(const struct foreign *foreign, struct span head)
{
    return foreign->start.len && span_starts(span_after(head, foreign->at), foreign->start) &&
           (!foreign->part || has_part(foreign, head));
}

static bool refuse(const struct foreign *foreign, struct error *err)
{
    error_set(err, ERROR_INPUT, "is %s: ptk does not read it", foreign->what);
    return error_hint(err, "%s", foreign->action);
}

bool foreign_refuse(struct span head, struct span name, struct error *err)
{
    const struct foreign *found = NULL;

    for (size_t i = 0; i < COUNT_OF(foreigns); i++)
        if (begins_so(&foreigns[i], head) && (!found || is_named(foreigns[i].names, name)) &&
            (!found || !is_named(found->names, name)))
            found = &foreigns[i];
    return !found || refuse(found, err);
}

/* Whether the first lines, up to three, are rows of as many fields, more than two. */
static bool is_table(struct span head)
{
    size_t commas = 0, fields = 0;
    bool is_quoted = false;
    int rows = 0;

    for (size_t i = 0; i < head.len && rows < 3; i++) {
        is_quoted ^= head.at[i] == '"';
        commas += head.at[i] == ',' && !is_quoted;
        if (head.at[i] != '\n' || is_quoted)
            continue;
        if (commas < 2 || (rows && commas != fields))
            return false;
        fields = commas;
        commas = 0;
        rows++;
    }
    return rows > 1;
}

/* ---- JSON that no format begins like ---- */

enum { KEYS_MAX = 160 }; /* bytes of keys that are named */

/* The rest behind a string whose opening quote has been passed, and what is in it; empty where it is cut. */
static struct span after_string(struct span rest, struct span *text)
{
    size_t end = 0;

    while (end < rest.len && rest.at[end] != '"')
        end += rest.at[end] == '\\' ? 2 : 1;
    *text = (struct span){rest.at, end < rest.len ? end : 0};
    return span_after(rest, end + 1);
}

/* Keys of the outermost object, or of the first one of a list, one after the other. */
static void name_keys(struct span rest, char *keys)
{
    int depth = 0, level = *rest.at == '[' ? 2 : 1;
    struct span text;
    size_t used = 0;

    keys[0] = '\0';
    while (rest.len) {
        char c = *rest.at;

        rest = span_after(rest, 1);
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth < level && (c == '}' || c == ']'))
            return;
        if (c != '"')
            continue;
        rest = after_string(rest, &text);
        while (rest.len && strchr(" \t\r\n", *rest.at))
            rest = span_after(rest, 1);
        if (depth != level || !text.len || !span_starts(rest, SPAN(":")))
            continue;
        if (used + text.len + 4 > KEYS_MAX)
            return;
        used += (size_t)snprintf(keys + used, KEYS_MAX - used, "%s%.*s", used ? ", " : "",
                                 (int)text.len, text.at);
    }
}

/* False for JSON: which keys it has, and which ptk knows. */
static bool refuse_json(struct span head, struct error *err)
{
    char keys[KEYS_MAX];

    if (span_starts(head, SPAN("\xef\xbb\xbf")))
        head = span_after(head, 3);
    while (head.len && strchr(" \t\r\n", *head.at))
        head = span_after(head, 1);
    if (!head.len || (*head.at != '{' && *head.at != '['))
        return true;
    name_keys(head, keys);
    if (!keys[0])
        return true;
    error_set(err, ERROR_INPUT, "is JSON of a form that ptk does not know; its keys are %s", keys);
    return error_hint(err, "known are traceEvents (traces), nodes (.cpuprofile), head (.heapprofile), shared "
                           "(speedscope), threads (Firefox), dhatFileVersion (DHAT) and "
                           "rocprofiler-sdk-tool (rocprofv3); 'ptk formats' lists what else a tool can write for ptk");
}

bool foreign_refuse_name(struct span head, struct span name, struct error *err)
{
    enum { BINARY_WITHIN = 64 };
    bool is_binary = memchr(head.at, '\0', head.len < BINARY_WITHIN ? head.len : BINARY_WITHIN);

    for (size_t i = 0; i < COUNT_OF(foreigns); i++) {
        if (!is_named(foreigns[i].names, name))
            continue;
        if (!foreigns[i].start.len && (foreigns[i].part ? has_part(&foreigns[i], head) : is_binary))
            return refuse(&foreigns[i], err);
        error_set(err, ERROR_INPUT, "is named like %s, but its content is something else",
                  foreigns[i].what);
        return error_hint(err, "'ptk formats' lists what ptk reads; --from FORMAT names one");
    }
    if (!refuse_json(head, err))
        return false;
    if (is_table(head)) {
        error_set(err, ERROR_INPUT, "is a table of CSV, with a header that ptk does not know");
        return error_hint(err, "known are those of rocprof and rocprofv3, rocprof-compute's pmc_perf.csv, "
                               "ncu --csv, nvprof --csv, nsys stats -f csv and perf stat -x,");
    }
    return true;
}

/* ---- folders that a tool writes as a whole ---- */

/* A folder is known by an entry, which is a path below it, or "*" and the end of a name in it. */
struct foreign_folder {
    const char *entry;
    const char *what;
    const char *action;
};

/* clang-format off */
static const struct foreign_folder foreign_folders[] = {
    {"*.vtune", "a result of Intel VTune",
     "vtune -report top-down -format csv -csv-delimiter comma -r FOLDER >FILE.csv, then ptk FILE.csv"},
    {"e000", "a project of Intel Advisor", "advisor --report=roofline prints it; for ptk: perf record -g"},
    {"Trace1.run", "a trace of Instruments",
     "xcrun xctrace export --input FOLDER --xpath '//table[@schema=\"time-profile\"]' >FILE.xml, then ptk FILE.xml"},
    {"form.template", "a trace of Instruments",
     "xcrun xctrace export --input FOLDER --xpath '//table[@schema=\"time-profile\"]' >FILE.xml, then ptk FILE.xml"},
    {"data.0", "what perf record --threads writes", "perf script -i FOLDER >FILE, then ptk FILE"},
    {"*.prd", "a session of AMD uProf", "AMDuProfCLI report -i FOLDER prints it; for ptk: perf record -g"},
    {"*.caperf", "a session of AMD uProf", "AMDuProfCLI report -i FOLDER prints it; for ptk: perf record -g"},
    {"samples/current", "a session of OProfile", "opreport prints it; for ptk: perf record -g"},
    {"*.parquet", "Parquet tables, as nsys export -t parquetdir writes them",
     "nsys export -t sqlite of the .nsys-rep, then ptk"},
    {"*.arrow", "Arrow tables, as nsys export -t arrowdir writes them",
     "nsys export -t sqlite of the .nsys-rep, then ptk"},
    {"traces.otf2", "an OTF2 archive of Score-P",
     "otf2-print shows it; SCOREP_ENABLE_PROFILING=true writes a profile for cube_dump"},
    {"profile.cubex", "a measurement of Score-P",
     "cube_dump -c all -m time -s csv profile.cubex shows it"},
    {"cct.db", "a database of HPCToolkit", "hpcviewer shows it; for ptk: perf record -g"},
    {"*.hpcrun", "a measurement of HPCToolkit",
     "hpcviewer shows it after hpcprof; for ptk: perf record -g"},
};
/* clang-format on */

static bool has_entry(const char *folder, const char *entry)
{
    char path[PATH_MAX];
    bool is_found = false;
    struct dirent *each;
    DIR *list;

    if (*entry != '*')
        return (size_t)snprintf(path, sizeof(path), "%s/%s", folder, entry) < sizeof(path) &&
               access(path, F_OK) == 0;
    list = opendir(folder);
    while (list && !is_found && (each = readdir(list)))
        is_found = span_ends(span_of(each->d_name), span_of(entry + 1));
    if (list)
        closedir(list);
    return is_found;
}

bool foreign_refuse_folder(const char *path, struct error *err)
{
    for (size_t i = 0; i < COUNT_OF(foreign_folders); i++)
        if (has_entry(path, foreign_folders[i].entry)) {
            error_set(err, ERROR_INPUT, "is a folder: %s, which ptk does not read",
                      foreign_folders[i].what);
            return error_hint(err, "%s", foreign_folders[i].action);
        }
    return true;
}
