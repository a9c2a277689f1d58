/* SPDX-License-Identifier: Apache-2.0 */
/* What a function's own time is spent on: locks, I/O, copying, parsing and so on, by its name
 * and file. */
#include "graph/classify/function_class.h"

#include "base/checked.h"
#include "graph/classify/event_class.h"

const char *cost_class_name(enum cost_class class)
{
    static const char *const names[COST_CLASS_COUNT] = {
        [COST_NONE] = "own work",
        [COST_GC] = "garbage collection",
        [COST_ALLOCATION] = "allocation",
        [COST_LOCK] = "locks",
        [COST_SYSTEM] = "system calls",
        [COST_IMPORT] = "imports",
        [COST_LINKING] = "dynamic linking",
        [COST_SERIALISATION] = "serialisation",
        [COST_REGEX] = "regex compiling",
        [COST_LOGGING] = "logging",
        [COST_EXCEPTION] = "exceptions",
        [COST_COPY] = "copying",
        [COST_HASH] = "hashing",
        [COST_SCHEDULER] = "scheduling of goroutines",
        [COST_STOP] = "stopping the world",
    };

    return names[class];
}

struct cost_name {
    const char *text;
    enum cost_class class;
};

/* Whole names. */
static const struct cost_name functions[] = {
    {"(garbage collector)", COST_GC},
    {"<built-in method gc.collect>", COST_GC},
    {"gc_collect_main", COST_GC},
    {"gc_collect_generations", COST_GC},
    {"malloc", COST_ALLOCATION},
    {"calloc", COST_ALLOCATION},
    {"realloc", COST_ALLOCATION},
    {"free", COST_ALLOCATION},
    {"cfree", COST_ALLOCATION},
    {"_int_malloc", COST_ALLOCATION},
    {"_int_free", COST_ALLOCATION},
    {"_int_realloc", COST_ALLOCATION},
    {"malloc_consolidate", COST_ALLOCATION},
    {"unlink_chunk", COST_ALLOCATION},
    {"sysmalloc", COST_ALLOCATION},
    {"posix_memalign", COST_ALLOCATION},
    {"aligned_alloc", COST_ALLOCATION},
    {"_PyObject_Malloc", COST_ALLOCATION},
    {"_PyObject_Free", COST_ALLOCATION},
    {"PyObject_Malloc", COST_ALLOCATION},
    {"PyObject_Free", COST_ALLOCATION},
    {"runtime.newobject", COST_ALLOCATION},
    {"runtime.growslice", COST_ALLOCATION},
    {"runtime.makeslice", COST_ALLOCATION},
    {"runtime.lock2", COST_LOCK},
    {"runtime.unlock2", COST_LOCK},
    {"runtime.futex", COST_SCHEDULER}, /* a lock that needs it is around it */
    {"runtime.procyield", COST_SCHEDULER},
    {"runtime.osyield", COST_SCHEDULER},
    {"futex_wait", COST_LOCK},
    {"futex_wake", COST_LOCK},
    {"native_queued_spin_lock_slowpath", COST_LOCK},
    {"syscall", COST_SYSTEM},
    {"do_syscall_64", COST_SYSTEM},
    {"el0_svc", COST_SYSTEM},
    {"do_lookup_x", COST_LINKING},
    {"check_match", COST_LINKING},
    {"dl_main", COST_LINKING},
    {"elf_machine_rela", COST_LINKING},
    {"JSON.parse", COST_SERIALISATION},
    {"JSON.stringify", COST_SERIALISATION},
    {"runtime.gopanic", COST_EXCEPTION},
    {"runtime.recovery", COST_EXCEPTION},
    {"captureStackTrace", COST_EXCEPTION},
    {"prepareStackTrace", COST_EXCEPTION},
    {"memcpy", COST_COPY},
    {"memmove", COST_COPY},
    {"runtime.memmove", COST_COPY},
    {"runtime.typedmemmove", COST_COPY},
    {"runtime.duffcopy", COST_COPY},
    {"runtime.slicebytetostring", COST_COPY},
    {"runtime.stringtoslicebyte", COST_COPY},
    {"structuredClone", COST_COPY},
    {"<built-in method builtins.hash>", COST_HASH},
};

/* What names begin with. */
static const struct cost_name prefixes[] = {
    {"_dl_", COST_LINKING},
    {"runtime.gcStart", COST_GC},
    {"runtime.gcBgMarkWorker", COST_GC},
    {"runtime.gcAssist", COST_GC},
    {"runtime.gcDrain", COST_GC},
    {"runtime.gcMark", COST_GC},
    {"runtime.gcSweep", COST_GC},
    {"runtime.(*gcWork)", COST_GC},
    {"runtime.bgsweep", COST_GC},
    {"runtime.bgscavenge", COST_GC},
    {"runtime.sweepone", COST_GC},
    {"runtime.(*sweepLocked)", COST_GC},
    {"runtime.scanobject", COST_GC},
    {"runtime.scanblock", COST_GC},
    {"runtime.scanstack", COST_GC},
    {"runtime.greyobject", COST_GC},
    {"runtime.markroot", COST_GC},
    {"runtime.wbBufFlush", COST_GC},
    {"runtime.findObject", COST_GC},
    {"v8::internal::Heap::CollectGarbage", COST_GC},
    {"v8::internal::Scavenger", COST_GC},
    {"v8::internal::MarkCompact", COST_GC},
    {"runtime.mallocgc", COST_ALLOCATION},
    {"runtime.(*mcache)", COST_ALLOCATION},
    {"runtime.(*mcentral)", COST_ALLOCATION},
    {"runtime.(*mheap)", COST_ALLOCATION},
    {"runtime.memclrNoHeapPointers", COST_ALLOCATION},
    {"operator new", COST_ALLOCATION},
    {"operator delete", COST_ALLOCATION},
    {"__libc_malloc", COST_ALLOCATION},
    {"__libc_calloc", COST_ALLOCATION},
    {"__libc_free", COST_ALLOCATION},
    {"__libc_realloc", COST_ALLOCATION},
    {"tc_malloc", COST_ALLOCATION},
    {"tc_free", COST_ALLOCATION},
    {"tc_new", COST_ALLOCATION},
    {"tc_delete", COST_ALLOCATION},
    {"je_malloc", COST_ALLOCATION},
    {"mi_malloc", COST_ALLOCATION},
    {"sync.(*Mutex)", COST_LOCK},
    {"sync.(*RWMutex)", COST_LOCK},
    {"internal/sync.(*Mutex)", COST_LOCK},
    {"runtime.semacquire", COST_LOCK},
    {"runtime.semrelease", COST_LOCK},
    {"pthread_mutex_", COST_LOCK},
    {"__pthread_mutex_", COST_LOCK},
    {"___pthread_mutex_", COST_LOCK},
    {"pthread_rwlock_", COST_LOCK},
    {"__pthread_rwlock_", COST_LOCK},
    {"pthread_spin_", COST_LOCK},
    {"pthread_cond_", COST_LOCK},
    {"__lll_lock_", COST_LOCK},
    {"std::mutex::", COST_LOCK},
    {"runtime.stopTheWorld", COST_STOP},
    {"runtime.startTheWorld", COST_STOP},
    {"runtime.stwStartTheWorld", COST_STOP},
    {"runtime.ReadMemStats", COST_STOP},
    {"runtime.readmemstats_m", COST_STOP},
    {"runtime.preemptall", COST_STOP},
    {"runtime.forEachP", COST_STOP},
    {"runtime.schedule", COST_SCHEDULER},
    {"runtime.findRunnable", COST_SCHEDULER},
    {"runtime.findrunnable", COST_SCHEDULER},
    {"runtime.stopm", COST_SCHEDULER},
    {"runtime.startm", COST_SCHEDULER},
    {"runtime.wakep", COST_SCHEDULER},
    {"runtime.park_m", COST_SCHEDULER},
    {"runtime.gosched", COST_SCHEDULER},
    {"runtime.notesleep", COST_SCHEDULER},
    {"runtime.notewakeup", COST_SCHEDULER},
    {"runtime.notetsleep", COST_SCHEDULER},
    {"runtime.futexsleep", COST_SCHEDULER},
    {"runtime.futexwakeup", COST_SCHEDULER},
    {"runtime.goready", COST_SCHEDULER},
    {"runtime.ready", COST_SCHEDULER},
    {"runtime.handoffp", COST_SCHEDULER},
    {"runtime.mPark", COST_SCHEDULER},
    {"runtime.resetspinning", COST_SCHEDULER},
    {"runtime.stealWork", COST_SCHEDULER},
    {"runtime.runqgrab", COST_SCHEDULER},
    {"runtime.runqsteal", COST_SCHEDULER},
    {"runtime.sysmon", COST_SCHEDULER},
    {"runtime.usleep", COST_SCHEDULER},
    {"runtime.gopark", COST_SCHEDULER},
    {"runtime.netpoll", COST_SCHEDULER},
    {"runtime.checkTimers", COST_SCHEDULER},
    {"syscall.Syscall", COST_SYSTEM},
    {"syscall.RawSyscall", COST_SYSTEM},
    {"runtime/internal/syscall.", COST_SYSTEM},
    {"internal/runtime/syscall.", COST_SYSTEM},
    {"entry_SYSCALL", COST_SYSTEM},
    {"__x64_sys_", COST_SYSTEM},
    {"__arm64_sys_", COST_SYSTEM},
    {"<built-in method posix.", COST_SYSTEM},
    {"runtime.doInit", COST_IMPORT},
    {"dlopen", COST_LINKING},
    {"_dl_", COST_LINKING},
    {"encoding/json.", COST_SERIALISATION},
    {"encoding/gob.", COST_SERIALISATION},
    {"encoding/xml.", COST_SERIALISATION},
    {"encoding/binary.", COST_SERIALISATION},
    {"google.golang.org/protobuf/", COST_SERIALISATION},
    {"google::protobuf::", COST_SERIALISATION},
    {"nlohmann::", COST_SERIALISATION},
    {"rapidjson::", COST_SERIALISATION},
    {"<built-in method _pickle.", COST_SERIALISATION},
    {"<built-in method _json.", COST_SERIALISATION},
    {"<built-in method marshal.", COST_SERIALISATION},
    {"<method 'dump' of '_pickle.", COST_SERIALISATION},
    {"<method 'load' of '_pickle.", COST_SERIALISATION},
    {"regexp/syntax.Parse", COST_REGEX},
    {"regexp/syntax.(*parser)", COST_REGEX},
    {"regexp/syntax.Compile", COST_REGEX},
    {"regexp/syntax.(*compiler)", COST_REGEX},
    {"regexp.Compile", COST_REGEX},
    {"regexp.MustCompile", COST_REGEX},
    {"regexp.compile", COST_REGEX},
    {"<built-in method _sre.compile", COST_REGEX},
    {"std::__detail::_Compiler", COST_REGEX},
    {"std::__detail::_Scanner", COST_REGEX},
    {"log.(*Logger)", COST_LOGGING},
    {"log.Print", COST_LOGGING},
    {"log/slog.", COST_LOGGING},
    {"go.uber.org/zap", COST_LOGGING},
    {"github.com/sirupsen/logrus.", COST_LOGGING},
    {"github.com/rs/zerolog", COST_LOGGING},
    {"spdlog::", COST_LOGGING},
    {"google::LogMessage", COST_LOGGING},
    {"__cxa_throw", COST_EXCEPTION},
    {"__cxa_begin_catch", COST_EXCEPTION},
    {"_Unwind_", COST_EXCEPTION},
    {"__gxx_personality", COST_EXCEPTION},
    {"runtime.panic", COST_EXCEPTION},
    {"__memcpy_", COST_COPY},
    {"__memmove_", COST_COPY},
    {"<built-in method _copy.", COST_COPY},
    {"runtime.mapaccess", COST_HASH},
    {"runtime.mapassign", COST_HASH},
    {"runtime.mapdelete", COST_HASH},
    {"runtime.aeshash", COST_HASH},
    {"runtime.memhash", COST_HASH},
    {"runtime.strhash", COST_HASH},
    {"internal/runtime/maps.", COST_HASH},
    {"crypto/sha", COST_HASH},
    {"crypto/md5", COST_HASH},
    {"hash/", COST_HASH},
    {"std::_Hash_bytes", COST_HASH},
    {"SHA256_", COST_HASH},
    {"sha256_block", COST_HASH},
    {"<built-in method _hashlib.", COST_HASH},
    {"<built-in method _sha", COST_HASH},
    {"<built-in method _md5", COST_HASH},
    {"<method 'update' of '_hashlib.", COST_HASH},
};

/* Files, by their ends: of Python's standard library; and of Node's, which have no other part. */
static const struct cost_name files[] = {
    {"<frozen importlib._bootstrap>", COST_IMPORT},
    {"<frozen importlib._bootstrap_external>", COST_IMPORT},
    {"node:internal/modules/cjs/loader", COST_IMPORT},
    {"node:internal/modules/esm/loader", COST_IMPORT},
    {"node:fs", COST_SYSTEM},
    {"/json/encoder.py", COST_SERIALISATION},
    {"/json/decoder.py", COST_SERIALISATION},
    {"/json/scanner.py", COST_SERIALISATION},
    {"/json/__init__.py", COST_SERIALISATION},
    {"/pickle.py", COST_SERIALISATION},
    {"/re/_compiler.py", COST_REGEX},
    {"/re/_parser.py", COST_REGEX},
    {"/sre_compile.py", COST_REGEX},
    {"/sre_parse.py", COST_REGEX},
    {"/logging/__init__.py", COST_LOGGING},
    {"/logging/handlers.py", COST_LOGGING},
    {"/loguru/_logger.py", COST_LOGGING},
    {"node:internal/console/constructor", COST_LOGGING},
    {"/traceback.py", COST_EXCEPTION},
    {"/copy.py", COST_COPY},
};

/* Functions of Python's standard library whose own time is that of the built-in function they call. */
static const struct {
    const char *name, *file;
    enum blocking kind;
} waiting[] = {
    {"wait", "/threading.py", BLOCKING_LOCK},
    {"_wait_for_tstate_lock", "/threading.py", BLOCKING_LOCK},
    {"_try_wait", "/subprocess.py", BLOCKING_LOCK},
    {"select", "/selectors.py", BLOCKING_POLL},
    {"readinto", "/socket.py", BLOCKING_IO},
    {"accept", "/socket.py", BLOCKING_IO},
    {"read", "/ssl.py", BLOCKING_IO},
    {"_recv", "/multiprocessing/connection.py", BLOCKING_IO},
    {"_send", "/multiprocessing/connection.py", BLOCKING_IO},
};

enum blocking frame_blocking(const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span name = graph_text(graph, frame->name), file = graph_text(graph, frame->file);

    for (size_t i = 0; graph->native == LEVEL_CALLTREE && file.len && i < COUNT_OF(waiting); i++)
        if (span_eq(name, span_of(waiting[i].name)) && span_ends(file, span_of(waiting[i].file)))
            return waiting[i].kind;
    return graph_class(graph, id).blocking;
}

/* The C library's functions that do nothing but call the kernel, without what stands before their names. */
static const char *const kernel_calls[] = {
    "accept",   "accept4",    "bind",    "close",    "connect",  "epoll_ctl", "fsync",    "fstat",
    "fstat64",  "getdents64", "ioctl",   "listen",   "lseek",    "lseek64",   "lstat",    "lstat64",
    "madvise",  "mmap",       "mmap64",  "mprotect", "munmap",   "open",      "open64",   "openat",
    "openat64", "pread",      "pread64", "pwrite",   "pwrite64", "read",      "readv",    "recv",
    "recvfrom", "recvmsg",    "send",    "sendfile", "sendmsg",  "sendto",    "shutdown", "socket",
    "stat",     "stat64",     "unlink",  "write",    "writev",   NULL};

static bool is_kernel_call(struct span name, struct span module)
{
    static const char *const libraries[] = {"libc.so", "libc-2", "libpthread", NULL};
    static const struct span libc = LITERAL("__libc_"), inner = LITERAL("__");

    if (!span_holds_any(module, libraries))
        return false;
    if (span_starts(name, libc))
        name = span_after(name, libc.len);
    else if (span_starts(name, inner))
        name = span_after(name, inner.len);
    return span_is_any(name, kernel_calls);
}

enum cost_class cost_class(const struct graph *graph, frame_id id)
{
    static const enum cost_class of_blocking[BLOCKING_COUNT] = {
        [BLOCKING_IO] = COST_SYSTEM, [BLOCKING_LOCK] = COST_LOCK};
    const struct frame *frame = graph_frame(graph, id);
    struct span name = graph_text(graph, frame->name), file = graph_text(graph, frame->file);

    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (span_eq(name, span_of(functions[i].text)))
            return functions[i].class;
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (span_starts(name, span_of(prefixes[i].text)))
            return prefixes[i].class;
    for (size_t i = 0; file.len && i < COUNT_OF(files); i++)
        if (span_ends(file, span_of(files[i].text)))
            return files[i].class;
    if (frame->kind == KIND_HOST && is_kernel_call(name, graph_text(graph, frame->module)))
        return COST_SYSTEM;
    /* an event loop that waits is nobody's cost */
    return graph_class(graph, id).is_import ? COST_IMPORT : of_blocking[frame_blocking(graph, id)];
}
