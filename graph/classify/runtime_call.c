/* SPDX-License-Identifier: Apache-2.0 */
/* What a call of the runtime does, of CUDA, HIP, MUSA, Level Zero, OpenCL and SYCL, and which
 * calls only wait. */
#include "graph/classify/event_class.h"

#include "base/checked.h"

/* ---- functions that wait and do nothing else, as far as names tell ---- */

/* "<method 'acquire' of '_thread.lock' objects>": the type's end tells what is acquired. */
static const struct {
    const char *method, *type;
    enum blocking kind;
} methods[] = {
    {"acquire", "lock", BLOCKING_LOCK},
    {"acquire", "RLock", BLOCKING_LOCK},
    {"acquire", "SemLock", BLOCKING_LOCK},
    {"__enter__", "lock", BLOCKING_LOCK},
    {"get", "SimpleQueue", BLOCKING_LOCK},
    {"poll", "poll", BLOCKING_POLL},
    {"poll", "epoll", BLOCKING_POLL},
    {"control", "kqueue", BLOCKING_POLL},
    {"recv", "socket", BLOCKING_IO},
    {"recv_into", "socket", BLOCKING_IO},
    {"recvfrom", "socket", BLOCKING_IO},
    {"recvmsg", "socket", BLOCKING_IO},
    {"send", "socket", BLOCKING_IO},
    {"sendall", "socket", BLOCKING_IO},
    {"connect", "socket", BLOCKING_IO},
    {"_accept", "socket", BLOCKING_IO},
    {"read", "_SSLSocket", BLOCKING_IO},
    {"write", "_SSLSocket", BLOCKING_IO},
    {"do_handshake", "_SSLSocket", BLOCKING_IO},
    {"read", "FileIO", BLOCKING_IO},
    {"readinto", "FileIO", BLOCKING_IO},
    {"readall", "FileIO", BLOCKING_IO},
    {"write", "FileIO", BLOCKING_IO},
    {"read", "BufferedReader", BLOCKING_IO},
    {"readline", "BufferedReader", BLOCKING_IO},
    {"readinto", "BufferedReader", BLOCKING_IO},
    {"flush", "BufferedWriter", BLOCKING_IO},
};

/* "<built-in method time.sleep>", and native functions. */
static const struct {
    const char *name;
    enum blocking kind;
} functions[] = {
    {"time.sleep", BLOCKING_SLEEP},
    {"select.select", BLOCKING_POLL},
    {"posix.read", BLOCKING_IO},
    {"posix.write", BLOCKING_IO},
    {"posix.fsync", BLOCKING_IO},
    {"nt.read", BLOCKING_IO},
    {"posix.waitpid", BLOCKING_LOCK},
    {"posix.wait", BLOCKING_LOCK},
    {"_socket.getaddrinfo", BLOCKING_IO},
    {"_winapi.WaitForSingleObject", BLOCKING_LOCK},
    {"_winapi.WaitForMultipleObjects", BLOCKING_LOCK},
    {"builtins.input", BLOCKING_IO},
    {"sleep", BLOCKING_SLEEP},
    {"nanosleep", BLOCKING_SLEEP},
    {"__nanosleep", BLOCKING_SLEEP},
    {"clock_nanosleep", BLOCKING_SLEEP},
    {"__clock_nanosleep", BLOCKING_SLEEP},
    {"usleep", BLOCKING_SLEEP},
    {"poll", BLOCKING_POLL},
    {"__poll", BLOCKING_POLL},
    {"ppoll", BLOCKING_POLL},
    {"epoll_wait", BLOCKING_POLL},
    {"epoll_pwait", BLOCKING_POLL},
    {"__select", BLOCKING_POLL},
    {"__read", BLOCKING_IO},
    {"__libc_read", BLOCKING_IO},
    {"__write", BLOCKING_IO},
    {"__libc_recv", BLOCKING_IO},
    {"recvfrom", BLOCKING_IO},
    {"recvmsg", BLOCKING_IO},
    {"fsync", BLOCKING_IO},
    {"pthread_cond_wait", BLOCKING_LOCK},
    {"__pthread_cond_wait", BLOCKING_LOCK},
    {"pthread_cond_timedwait", BLOCKING_LOCK},
    {"__futex_abstimed_wait_common", BLOCKING_LOCK},
    {"__futex_abstimed_wait_common64", BLOCKING_LOCK},
    {"do_futex_wait", BLOCKING_LOCK},
    {"futex_wait", BLOCKING_LOCK},
    {"__lll_lock_wait", BLOCKING_LOCK},
    {"sem_wait", BLOCKING_LOCK},
    {"wait4", BLOCKING_LOCK},
    {"__waitpid", BLOCKING_LOCK},
    {"runtime.gopark", BLOCKING_LOCK},
    {"runtime.epollwait", BLOCKING_POLL},
    {"runtime.usleep", BLOCKING_SLEEP},
    {NULL, BLOCKING_NOT},
};

/* The next text in single quotes. */
static struct span quoted(struct span *rest)
{
    span_split(rest, '\'');
    return span_split(rest, '\'');
}

static enum blocking blocking_method(struct span method, struct span type)
{
    for (size_t i = 0; i < COUNT_OF(methods); i++)
        if (span_eq(method, span_of(methods[i].method)) &&
            span_ends(type, span_of(methods[i].type)))
            return methods[i].kind;
    return BLOCKING_NOT;
}

enum blocking blocking_function(struct span name)
{
    static const struct span function = LITERAL("<built-in function ");
    static const struct span built_in = LITERAL("<built-in method ");
    struct span method, rest = name;

    if (span_starts(name, SPAN("<method '"))) {
        method = quoted(&rest);
        return blocking_method(method, quoted(&rest));
    }
    if (span_starts(name, built_in) && span_ends(name, SPAN(">")))
        name = (struct span){name.at + built_in.len, name.len - built_in.len - 1};
    else if (span_starts(name, function) && span_ends(name, SPAN(">")))
        name = (struct span){name.at + function.len, name.len - function.len - 1};
    /* "acquire of _thread.lock object at 0x7f2a1c0b5a80", as torch.profiler writes it */
    rest = name;
    method = span_split(&rest, ' ');
    if (span_eq(span_split(&rest, ' '), SPAN("of")))
        return blocking_method(method, span_split(&rest, ' '));
    return LOOKUP(functions, name).kind;
}

/* ---- the parts of a name ---- */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* "MemcpyAsync" of "cudaMemcpyAsync"; empty where it is none of a vendor's. */
static struct span without_vendor(struct span name)
{
    static const char *const vendors[] = {"cuda", "cu", "hip", "musa", "mu"};

    for (size_t i = 0; i < COUNT_OF(vendors); i++) {
        struct span vendor = span_of(vendors[i]);

        if (span_starts(name, vendor) && name.len > vendor.len && is_upper(name.at[vendor.len]))
            return span_after(name, vendor.len);
    }
    return (struct span){0};
}

/* Without "_v2", "_v10000", "_ptsz", "_ptds" and "_spt", of which there may be several. */
static struct span without_version(struct span name)
{
    static const char *const variants[] = {"_ptsz", "_ptds", "_spt"};
    size_t digits = 0;

    for (size_t i = 0; i < COUNT_OF(variants); i++)
        if (span_ends(name, span_of(variants[i])))
            return without_version((struct span){name.at, name.len - span_of(variants[i]).len});
    while (digits < name.len && is_digit(name.at[name.len - 1 - digits]))
        digits++;
    if (digits && name.len >= digits + 2 && name.at[name.len - digits - 1] == 'v' &&
        name.at[name.len - digits - 2] == '_')
        name.len -= digits + 2;
    return name;
}

/* ---- CUDA's, HIP's and MUSA's ---- */

enum where { WHOLE, START };

enum blocking_mode {
    RETURNS,   /* at once */
    MAY_BLOCK, /* as long as the device needs, or at once, by what it is called with */
    BLOCKS,
};

static const struct call_rule {
    const char *text;
    enum where where;
    enum runtime_call call;
    enum blocking_mode mode;
} rules[] = {
    {"StreamBeginCapture", START, CALL_CAPTURE_BEGIN, RETURNS},
    {"StreamEndCapture", WHOLE, CALL_CAPTURE_END, RETURNS},
    {"GraphLaunch", START, CALL_GRAPH_LAUNCH, RETURNS},
    {"LaunchHostFunc", START, CALL_OTHER, RETURNS},
    {"Launch", START, CALL_LAUNCH, RETURNS},
    {"ModuleLaunch", START, CALL_LAUNCH, RETURNS},
    {"ExtLaunch", START, CALL_LAUNCH, RETURNS},
    {"ExtModuleLaunch", START, CALL_LAUNCH, RETURNS},
    {"HccModuleLaunch", START, CALL_LAUNCH, RETURNS},
    {"DeviceSynchronize", WHOLE, CALL_SYNC_DEVICE, BLOCKS},
    {"CtxSynchronize", WHOLE, CALL_SYNC_DEVICE, BLOCKS},
    {"ThreadSynchronize", WHOLE, CALL_SYNC_DEVICE, BLOCKS},
    {"StreamSynchronize", WHOLE, CALL_SYNC_STREAM, BLOCKS},
    {"EventSynchronize", WHOLE, CALL_SYNC_EVENT, BLOCKS},
    {"EventRecord", START, CALL_EVENT_RECORD, RETURNS},
    {"StreamWaitEvent", WHOLE, CALL_STREAM_WAIT, RETURNS},
    {"EventQuery", WHOLE, CALL_QUERY, RETURNS},
    {"StreamQuery", WHOLE, CALL_QUERY, RETURNS},
    {"MemcpyPeerAsync", START, CALL_COPY, RETURNS},
    {"MemcpyDtoDAsync", START, CALL_COPY, RETURNS},
    {"MemcpyDtoD", START, CALL_COPY, MAY_BLOCK},
    {"MemcpyWithStream", WHOLE, CALL_COPY, BLOCKS},
    {"Memcpy", START, CALL_COPY, BLOCKS}, /* but "…Async": see below */
    {"Memset", START, CALL_FILL, RETURNS},
    {"MallocAsync", START, CALL_ALLOCATE, RETURNS},
    {"MallocFromPoolAsync", START, CALL_ALLOCATE, RETURNS},
    {"MemAllocAsync", START, CALL_ALLOCATE, RETURNS},
    {"MemAllocFromPoolAsync", START, CALL_ALLOCATE, RETURNS},
    {"Malloc", START, CALL_ALLOCATE, MAY_BLOCK},
    {"ExtMalloc", START, CALL_ALLOCATE, MAY_BLOCK},
    {"MemAlloc", START, CALL_ALLOCATE, MAY_BLOCK},
    {"MemCreate", WHOLE, CALL_ALLOCATE, MAY_BLOCK},
    {"HostAlloc", START, CALL_ALLOCATE, MAY_BLOCK},
    {"HostMalloc", START, CALL_ALLOCATE, MAY_BLOCK},
    {"FreeAsync", WHOLE, CALL_FREE, RETURNS},
    {"MemFreeAsync", WHOLE, CALL_FREE, RETURNS},
    {"Free", START, CALL_FREE, MAY_BLOCK},
    {"MemFree", START, CALL_FREE, MAY_BLOCK},
    {"MemRelease", WHOLE, CALL_FREE, MAY_BLOCK},
    {"HostFree", WHOLE, CALL_FREE, MAY_BLOCK},
};

/* ---- Level Zero's, OpenCL's and SYCL's ---- */

static const struct call_rule others[] = {
    {"zeCommandListAppendLaunch", START, CALL_LAUNCH, RETURNS},
    {"zeCommandQueueExecuteCommandLists", WHOLE, CALL_GRAPH_LAUNCH, RETURNS},
    {"zeCommandListImmediateAppendCommandLists", START, CALL_GRAPH_LAUNCH, RETURNS},
    {"zeCommandListAppendMemoryCopy", START, CALL_COPY, MAY_BLOCK},
    {"zeCommandListAppendMemoryFill", START, CALL_FILL, RETURNS},
    {"zeCommandListAppendSignalEvent", WHOLE, CALL_EVENT_RECORD, RETURNS},
    {"zeCommandListAppendWaitOnEvents", WHOLE, CALL_STREAM_WAIT, RETURNS},
    {"zeCommandListAppendBarrier", WHOLE, CALL_STREAM_WAIT, RETURNS},
    {"zeCommandQueueSynchronize", WHOLE, CALL_SYNC_STREAM, BLOCKS},
    {"zeCommandListHostSynchronize", WHOLE, CALL_SYNC_STREAM, BLOCKS},
    {"zeEventHostSynchronize", WHOLE, CALL_SYNC_EVENT, BLOCKS},
    {"zeFenceHostSynchronize", WHOLE, CALL_SYNC_EVENT, BLOCKS},
    {"zeEventQueryStatus", WHOLE, CALL_QUERY, RETURNS},
    {"zeMemAlloc", START, CALL_ALLOCATE, MAY_BLOCK},
    {"zeMemFree", START, CALL_FREE, MAY_BLOCK},
    {"clEnqueueNDRangeKernel", WHOLE, CALL_LAUNCH, RETURNS},
    {"clEnqueueTask", WHOLE, CALL_LAUNCH, RETURNS},
    {"clEnqueueRead", START, CALL_COPY, MAY_BLOCK},
    {"clEnqueueWrite", START, CALL_COPY, MAY_BLOCK},
    {"clEnqueueCopy", START, CALL_COPY, RETURNS},
    {"clEnqueueFill", START, CALL_FILL, RETURNS},
    {"clEnqueueMarker", START, CALL_EVENT_RECORD, RETURNS},
    {"clEnqueueBarrier", START, CALL_STREAM_WAIT, RETURNS},
    {"clFinish", WHOLE, CALL_SYNC_STREAM, BLOCKS},
    {"clWaitForEvents", WHOLE, CALL_SYNC_EVENT, BLOCKS},
    {"urEnqueueKernelLaunch", START, CALL_LAUNCH, RETURNS},
    {"urEnqueueUSMMemcpy", START, CALL_COPY, MAY_BLOCK},
    {"urEnqueueMemBuffer", START, CALL_COPY, MAY_BLOCK},
    {"urEnqueueUSMFill", START, CALL_FILL, RETURNS},
    {"urQueueFinish", WHOLE, CALL_SYNC_STREAM, BLOCKS},
    {"urEventWait", WHOLE, CALL_SYNC_EVENT, BLOCKS},
    {"piEnqueueKernelLaunch", START, CALL_LAUNCH, RETURNS},
    {"piQueueFinish", WHOLE, CALL_SYNC_STREAM, BLOCKS},
    {"piEventsWait", WHOLE, CALL_SYNC_EVENT, BLOCKS},
};

/* ---- deciding ---- */

static const struct call_rule *rule_of(const struct call_rule *list, size_t count, struct span name)
{
    for (size_t i = 0; i < count; i++) {
        struct span text = span_of(list[i].text);

        if (list[i].where == WHOLE ? span_eq(name, text) : span_starts(name, text))
            return &list[i];
    }
    return NULL;
}

struct runtime_call_class runtime_call_class(struct span name)
{
    struct span stem = without_version(without_vendor(name));
    const struct call_rule *rule =
        stem.len ? rule_of(rules, COUNT_OF(rules), stem) : rule_of(others, COUNT_OF(others), name);
    struct runtime_call_class class = {.call = CALL_OTHER};

    if (!rule)
        return class;
    class.call = rule->call;
    class.blocks = rule->mode == BLOCKS;
    class.may_block = rule->mode != RETURNS;
    if (rule->call != CALL_COPY || !stem.len)
        return class;
    class.copy = copy_direction_of_name(stem);
    if (span_find(stem, SPAN("Async")) != SIZE_MAX)
        class.blocks = false; /* it waits for pageable memory alone */
    return class;
}

bool is_runtime_call(struct span name)
{
    static const char *const starts[] = {"cuda", "hip", "ze"};

    for (size_t i = 0; i < COUNT_OF(starts); i++) {
        struct span start = span_of(starts[i]);

        if (span_starts(name, start) && name.len > start.len && is_upper(name.at[start.len]))
            return true;
    }
    return span_starts(name, SPAN("clEnqueue"));
}

/* Kineto says "Sync", CUPTI "Synchronize". */
enum runtime_call sync_row_scope(struct span name)
{
    static const struct call_rule scopes[] = {
        {"Stream Wait Event", START, CALL_STREAM_WAIT, RETURNS},
        {"event_wait", START, CALL_STREAM_WAIT, RETURNS},
        {"zeCommandListAppendBarrier", START, CALL_STREAM_WAIT, RETURNS},
        {"zeCommandListAppendWaitOnEvents", START, CALL_STREAM_WAIT, RETURNS},
        {"event_record", START, CALL_EVENT_RECORD, RETURNS},
        {"zeCommandListAppendSignalEvent", START, CALL_EVENT_RECORD, RETURNS},
        {"zeCommandListAppendEventReset", START, CALL_OTHER, RETURNS},
        {"Event Sync", START, CALL_SYNC_EVENT, BLOCKS},
        {"Stream Sync", START, CALL_SYNC_STREAM, BLOCKS},
    };
    const struct call_rule *rule = rule_of(scopes, COUNT_OF(scopes), name);

    return rule ? rule->call : CALL_SYNC_DEVICE;
}

bool is_waiting_call(struct span name)
{
    static const char *const copies[] = {"cudaMemcpy",          "cudaMemcpy2D",    "hipMemcpy",
                                         "hipMemcpyWithStream", "cuMemcpyDtoH_v2", NULL};
    /* of "Synchronize" too, in either case; the others are SYCL's and OpenCL's */
    static const char *const words[] = {"ynchronize",  "EventWait", "EventsWait",
                                        "QueueFinish", "clFinish",  NULL};

    return span_is_any(name, copies) || span_holds_any(name, words);
}
