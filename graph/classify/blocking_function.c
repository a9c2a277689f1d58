/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/blocking_function.h"

#include "base/attr.h"

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
    {"runtime.futex", BLOCKING_LOCK},
    {"runtime.gopark", BLOCKING_LOCK},
    {"runtime.epollwait", BLOCKING_POLL},
    {"runtime.usleep", BLOCKING_SLEEP},
};

/* The next text in single quotes. */
static struct span quoted(struct span *rest)
{
    span_split(rest, '\'');
    return span_split(rest, '\'');
}

static enum blocking blocking_method(struct span name)
{
    struct span rest = name, method = quoted(&rest), type = quoted(&rest);

    for (size_t i = 0; i < COUNT_OF(methods); i++)
        if (span_eq(method, span_of(methods[i].method)) &&
            span_ends(type, span_of(methods[i].type)))
            return methods[i].kind;
    return BLOCKING_NOT;
}

/* "acquire of _thread.lock object at 0x7f2a1c0b5a80", as torch.profiler writes it. */
static enum blocking blocking_of_object(struct span rest)
{
    struct span method = span_split(&rest, ' '), of = span_split(&rest, ' ');
    struct span type = span_split(&rest, ' ');

    for (size_t i = 0; span_eq(of, SPAN("of")) && i < COUNT_OF(methods); i++)
        if (span_eq(method, span_of(methods[i].method)) &&
            span_ends(type, span_of(methods[i].type)))
            return methods[i].kind;
    return BLOCKING_NOT;
}

enum blocking blocking_function(struct span name)
{
    static const struct span function = {"<built-in function ", 19};
    static const struct span built_in = {"<built-in method ", 17};

    if (span_starts(name, SPAN("<method '")))
        return blocking_method(name);
    if (span_starts(name, built_in) && span_ends(name, SPAN(">")))
        name = (struct span){name.at + built_in.len, name.len - built_in.len - 1};
    else if (span_starts(name, function) && span_ends(name, SPAN(">")))
        name = (struct span){name.at + function.len, name.len - function.len - 1};
    if (span_find(name, SPAN(" of ")) != SIZE_MAX)
        return blocking_of_object(name);
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (span_eq(name, span_of(functions[i].name)))
            return functions[i].kind;
    return BLOCKING_NOT;
}
