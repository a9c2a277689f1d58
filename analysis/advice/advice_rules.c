/* SPDX-License-Identifier: Apache-2.0 */
/* advice_rules.c — the table of rules: names, titles, remedies, and which function judges */
#include "analysis/advice/advice.h"

const struct rule rules[] = {
    {"data-loader", "TensorBoard", "the device waits for the data loader",
     "more workers (num_workers), pin_memory=True, prefetching, cheaper decoding, data in fewer "
     "and "
     "larger files",
     RULE_DEVICE, false, judge_input, REMEDY_INPUT, COST_NONE, HELD_BY_INPUT, NULL},
    {"synchronisation", "nsys, nsys-ai", "the host waits for the device, and the device's queue runs empty",
     "no .item(), .cpu(), print of a tensor or blocking copy in the loop; compare on the device, "
     "and "
     "read results a step later",
     RULE_DEVICE, false, judge_sync, REMEDY_WAITS, COST_NONE, HELD_BY_SYNC, NULL},
    {"launch-bound", "XProf", "the device waits because launching takes the host too long",
     "larger batches, fused kernels (torch.compile, JIT), CUDA graphs, fused optimisers",
     RULE_DEVICE, false, judge_launch, REMEDY_LAUNCHES, COST_NONE, HELD_BY_LAUNCH, NULL},
    {"slow-host", "HTA", "the device waits while the host does other work than launching",
     "see what: `ptk hotspots --value host`; less Python between operators, work in other "
     "processes, compilation",
     RULE_DEVICE, false, judge_host_late, REMEDY_HOST, COST_NONE, HELD_BY_HOST,
     "see in the timeline what its threads do then; less Python between operators, work "
     "in other processes, compilation"},
    {"setup", "ptk", "a runtime call loads code, creates a context or tunes kernels",
     "warm up before what is measured or served; load code eagerly (CUDA_MODULE_LOADING=EAGER), "
     "keep what was compiled and tuned",
     RULE_DEVICE, false, judge_setup, REMEDY_SETUP, COST_NONE, HELD_BY_HOST, NULL},
    {"unrecorded", "ptk", "the device was idle for a reason that is not recorded",
     "record more of the host: its activities from before the device's first work on, all threads, "
     "Python's functions (with_stack=True), other ranks",
     RULE_DEVICE, true, judge_unrecorded, REMEDY_NONE, COST_NONE, HELD_BY_HOST, NULL},
    {"allocator", "ptk", "allocating and freeing device memory delays the host",
     "keep buffers; a caching allocator (PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, "
     "cudaMallocAsync); no empty_cache() in the loop",
     RULE_DEVICE, false, judge_allocator, REMEDY_ALLOCATIONS, COST_NONE, HELD_BY_ALLOCATOR, NULL},
    {"small-kernels", "nsys-ai", "kernels are shorter than what launching one costs",
     "larger batches, fused kernels, CUDA graphs, foreach/fused optimisers", RULE_DEVICE, false,
     judge_small_kernels, REMEDY_LAUNCHES, COST_NONE, HELD_BY_LAUNCH, NULL},
    {"graph-holes", "ptk", "the device is idle inside launched graphs",
     "see what their nodes wait for: dependencies that make branches serial, memory nodes, host "
     "nodes; fewer and larger kernels in the graph",
     RULE_DEVICE, false, judge_graph_holes, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"uneven-steps", "ptk", "some steps take much longer than the others",
     "see what only they do: `ptk hotspots --step N`; evaluation, checkpoints, logging, garbage "
     "collection, other shapes that are compiled or tuned anew",
     RULE_TIMELINE, false, judge_uneven_steps, REMEDY_UNEVEN_STEPS, COST_NONE, HELD_BY_NOTHING,
     "see in the timeline what only they do; evaluation, checkpoints, logging, garbage "
     "collection, other shapes that are compiled or tuned anew"},
    {"gaps", "nsys, nsys-ai", "long gaps between the device's work",
     "see what the host did then: `ptk overlap` lists the gaps with their causes", RULE_DEVICE,
     true, judge_long_gaps, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "see in the timeline what the host did then: the gaps are listed with their causes"},
    {"idle-chunks", "nsys", "the device is almost idle in parts of the run",
     "see which: warm-up, validation, checkpoints, logging; `ptk overlap --by step`", RULE_DEVICE,
     true, judge_idle_chunks, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "see in the timeline which: warm-up, validation, checkpoints, logging"},
    {"low-utilisation", "nvvp, TensorBoard", "the device computes for a small part of the time",
     "larger batches, and what the other rules say of its idle time", RULE_DEVICE, true,
     judge_low_use, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},

    {"pageable-copies", "nsys", "copies from or to pageable memory",
     "pin_memory=True in the data loader, cudaHostAlloc, and non_blocking=True: pageable copies go "
     "through a second buffer, and async ones block the host",
     RULE_DEVICE, false, judge_pageable, REMEDY_COPIES, COST_NONE, HELD_BY_COPY, NULL},
    {"small-copies", "nvvp", "copies are too small to use the link",
     "put what is copied into one buffer; make on the device what can be made there", RULE_DEVICE,
     false, judge_small_copies, REMEDY_COPIES, COST_NONE, HELD_BY_COPY, NULL},
    {"slow-copies", "nvvp", "copies are far below what the link can do",
     "pinned memory, larger copies, memory of the device's own NUMA node; check that the slot has "
     "all of its lanes",
     RULE_DEVICE, false, judge_slow_copies, REMEDY_COPIES, COST_NONE, HELD_BY_COPY, NULL},
    {"copies-to-compute", "nvvp", "little is computed for what is copied",
     "keep data on the device, copy in a smaller type, compute more on what is there", RULE_DEVICE,
     false, judge_compute_to_copies, REMEDY_COPIES, COST_NONE, HELD_BY_COPY, NULL},
    {"copy-overlap", "nvvp", "copies are not hidden behind compute",
     "a stream of their own with pinned memory and non_blocking=True: the next batch is copied "
     "while this one computes",
     RULE_DEVICE, false, judge_copy_overlap, REMEDY_COPIES, COST_NONE, HELD_BY_COPY, NULL},
    {"device-copies", "ptk", "the device copies within its own memory, and does nothing else",
     "no copy: views and updates in place, an index instead of a cache that is moved, a kernel "
     "that reads "
     "from where the data is",
     RULE_DEVICE, false, judge_device_copies, REMEDY_COPIES, COST_NONE, HELD_BY_COPY, NULL},
    {"copy-engines", "nvvp", "copies in one direction wait for those in the other",
     "a stream for each direction: most devices have an engine for each", RULE_DEVICE, false,
     judge_copy_engines, REMEDY_NONE, COST_NONE, HELD_BY_COPY, NULL},

    {"communication", "TensorBoard", "the device only communicates",
     "larger buckets, gradient accumulation, a smaller type, compression, sharding that needs less",
     RULE_DEVICE, false, judge_communication, REMEDY_COMMUNICATION, COST_NONE,
     HELD_BY_COMMUNICATION, NULL},
    {"hidden-communication", "nsys-ai", "little of the communication runs beside compute",
     "start reductions as soon as gradients are there (DDP buckets), prefetch in FSDP, a stream of "
     "its own with enough priority",
     RULE_DEVICE, false, judge_hidden, REMEDY_COMMUNICATION, COST_NONE, HELD_BY_COMMUNICATION, NULL},
    {"collective-waits", "ptk", "collectives wait for other ranks longer than they transfer",
     "see who is late: `ptk job` with the traces of all ranks; even stages, shards and batches; in a pipeline more "
     "micro-batches, or an interleaved schedule. Smaller types and larger buckets do not help",
     RULE_DEVICE, false, judge_collective_waits, REMEDY_NONE, COST_NONE, HELD_BY_COMMUNICATION,
     "see who is late, in the traces of all ranks; even stages, shards and batches; in "
     "a pipeline more micro-batches, or an interleaved schedule. Smaller types and "
     "larger buckets do not help"},
    {"tiny-collectives", "ptk", "collectives are so short that latency is most of them",
     "larger buckets, coalesced collectives (one all_reduce of a flat buffer), fewer of them",
     RULE_DEVICE, false, judge_tiny_collectives, REMEDY_NONE, COST_NONE, HELD_BY_COMMUNICATION, NULL},
    {"stragglers", "nsys-ai", "devices have different amounts of work",
     "even shards and sequence lengths; look for a slow card, thermal throttling, a busy host",
     RULE_TIMELINE, false, judge_stragglers, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},

    {"hot-kernel", "nsys-ai", "one kernel takes most of the device's time",
     "`ptk roofline` says how far it is from what the hardware can do; a tuned library, another "
     "algorithm",
     RULE_DEVICE, false, judge_hot_kernel, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "the roofline shows how far it is from what the hardware can do; a tuned library, "
     "another algorithm"},
    {"kernel-concurrency", "nvvp", "kernels that leave the device half empty run one by one",
     "independent work on several streams, batched calls, larger grids", RULE_DEVICE, false,
     judge_concurrency, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"grid-size", "nvvp", "grids are smaller than the device",
     "larger batches, more blocks (split-K, smaller tiles), several kernels at once", RULE_DEVICE,
     false, judge_fill, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"memory-full", "TensorBoard", "the device's memory is nearly full",
     "smaller batches, activation checkpointing, sharding; allocations may fail or be retried",
     RULE_DEVICE, false, judge_memory, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},

    {"profiler-overhead", "ptk", "recording Python calls slows the host",
     "record without Python stacks (with_stack=False), or fewer steps; host times, and idle time "
     "that the host owns, are smaller without the profiler",
     RULE_TIMELINE, true, judge_profiler, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},

    {"hot-function", "ptk", "one function takes much of the time by itself",
     "a better algorithm, fewer calls, a cache; native code for the inner loop", RULE_FLAT, false,
     judge_hot_function, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"hot-path", "ptk", "most of the time is below one function, in many callees",
     "its algorithm and its data: fewer or cheaper steps; `ptk tree --focus` of its name shows what it "
     "spreads over",
     RULE_FLAT, false, judge_hot_path, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "its algorithm and its data: fewer or cheaper steps; the flame graph shows what it "
     "spreads over"},
    {"library-call", "ptk", "one function of a library is called for much of the time",
     "call it less often, or once for many; keep what it gives; a cheaper one that does the same, "
     "or "
     "less",
     RULE_FLAT, false, judge_library_call, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"copied-sum", "nvvp", "little is computed for what is copied, summed over the run",
     "keep data on the device, copy in a smaller type and from pinned memory; a trace says what is "
     "hidden behind compute (nvprof --print-gpu-trace, nsys)",
     RULE_FLAT, false, judge_copied_sum, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "keep data on the device, copy in a smaller type and from pinned memory; a trace "
     "of the device says what is hidden behind compute"},
    {"blocking-calls", "ptk", "functions that only wait take much of the time",
     "do something else meanwhile: threads, asyncio, larger reads, fewer round trips", RULE_FLAT,
     false, judge_blocking, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"imports", "ptk", "much of the time goes into importing modules",
     "import where needed, drop unused dependencies, fill tables when first used; python -X "
     "importtime or GODEBUG=inittrace=1 says which",
     RULE_FLAT, false, judge_imports, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "import where needed, drop unused dependencies, fill tables when first used; "
     "Python's importtime and Go's inittrace say which"},
    {"dynamic-linking", "ptk", "loading shared libraries takes much of the time",
     "fewer libraries and symbols (-fvisibility=hidden), linked statically or prelinked; a longer "
     "run, if start-up is not what is measured",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_LINKING, HELD_BY_NOTHING,
     "fewer libraries and symbols, linked statically or prelinked; a longer run, if "
     "start-up is not what is measured"},
    {"garbage-collection", "ptk", "the garbage collector takes much of the time",
     "fewer and longer-lived objects, buffers that are used again, a larger heap before it runs "
     "(GOGC, GOMEMLIMIT, --max-semi-space-size, gc.freeze)",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_GC, HELD_BY_NOTHING,
     "fewer and longer-lived objects, buffers that are used again, a larger heap before "
     "it runs (GOGC, GOMEMLIMIT, Node's max-semi-space-size, gc.freeze)"},
    {"allocation", "ptk", "allocating and freeing memory takes much of the time",
     "allocate outside of the loop, reserve, use again (sync.Pool, arenas), pass by reference; "
     "another allocator (jemalloc, mimalloc, tcmalloc)",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_ALLOCATION, HELD_BY_NOTHING, NULL},
    {"lock-contention", "ptk", "taking, releasing and waiting for locks takes much of the time",
     "hold them shorter, split what they guard, a copy for each thread, atomics, readers' locks",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_LOCK, HELD_BY_NOTHING, NULL},
    {"stop-the-world", "ptk", "one thread stops all others",
     "runtime.ReadMemStats, runtime.GC, StartTimer and StopTimer of a benchmark, heap profiles: fewer of "
     "them, outside of loops; runtime/metrics stops nothing",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_STOP, HELD_BY_NOTHING, NULL},
    {"scheduling", "ptk", "Go's scheduler looks for work, parks and wakes threads",
     "fewer and larger messages over channels, work in larger pieces, fewer threads (GOMAXPROCS) for little "
     "work",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_SCHEDULER, HELD_BY_NOTHING, NULL},
    {"system-calls", "ptk", "calls of the kernel take much of the time",
     "fewer and larger ones: buffering, batches, sendfile, mmap, vectored I/O, io_uring", RULE_FLAT,
     false, judge_cost, REMEDY_NONE, COST_SYSTEM, HELD_BY_NOTHING, NULL},
    {"serialisation", "ptk", "encoding and decoding takes much of the time",
     "a faster library (orjson, simdjson, sonic), generated code, a binary format, less of it, a "
     "cache of what is encoded",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_SERIALISATION, HELD_BY_NOTHING, NULL},
    {"regex-compiling", "ptk", "regular expressions are compiled over and over",
     "compile once, outside of the function; plain text functions where they do", RULE_FLAT, false,
     judge_cost, REMEDY_NONE, COST_REGEX, HELD_BY_NOTHING, NULL},
    {"logging", "ptk", "logging takes much of the time",
     "a higher level, arguments that are formatted only when written, a queue and a thread of its "
     "own, no stack or caller in each line",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_LOGGING, HELD_BY_NOTHING, NULL},
    {"exceptions", "ptk", "raising exceptions takes much of the time",
     "no exceptions for what is normal: test first, return codes or options, no traces of stacks",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_EXCEPTION, HELD_BY_NOTHING, NULL},
    {"copying", "ptk", "copying memory takes much of the time",
     "views, moves and references instead of copies; room that is reserved; no deepcopy", RULE_FLAT,
     false, judge_cost, REMEDY_NONE, COST_COPY, HELD_BY_NOTHING, NULL},
    {"hashing", "ptk", "hash tables and digests take much of the time",
     "arrays or sorted lists where keys are small or dense, keys that hash faster, one look-up in "
     "place of two; a faster digest",
     RULE_FLAT, false, judge_cost, REMEDY_NONE, COST_HASH, HELD_BY_NOTHING, NULL},
    {"label-collisions", "ptk", "functions of one name, file and line overwrote each other",
     "what is lost is in nobody's self time: read callers with care, or sample instead; "
     "`ptk info` shows where",
     RULE_FLAT, false, judge_collisions, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "what is lost is in nobody's self time: read callers with care, or sample instead"},

    {"oom-fragmented", "ptk", "out of memory although enough was free, in pieces",
     "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or max_split_size_mb; fewer sizes, large "
     "tensors first",
     RULE_MEMORY, false, judge_oom_pieces, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"oom-huge", "ptk", "out of memory because one allocation is very large",
     "see who asks: a size, a shape or a type that is wrong; work in pieces, smaller batches, "
     "sharding",
     RULE_MEMORY, false, judge_oom_huge, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"oom-full", "ptk", "out of memory because all of it was in use",
     "`ptk hotspots` and `ptk tree` say who held it: smaller batches, activation checkpointing, "
     "sharding, tensors that are dropped earlier",
     RULE_MEMORY, false, judge_oom_full, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "see who held it; smaller batches, activation checkpointing, sharding, tensors "
     "that are dropped earlier"},
    {"memory-leak", "ptk", "memory grows with every step",
     "`ptk tree --value leak` says where: metrics and lists that keep tensors with their graphs; "
     ".detach() or .item() what is kept",
     RULE_MEMORY, false, judge_leak, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING,
     "metrics and lists that keep tensors with their graphs; .detach() or .item() what "
     "is kept"},
    {"memory-fragmentation", "ptk", "much free memory lies between blocks in use and cannot be returned",
     "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; what lives long allocated before what does "
     "not",
     RULE_MEMORY, false, judge_trapped, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"late-free", "ptk", "memory that was freed waits for other streams",
     "record_stream() only where it is needed; free what side streams use after they are done",
     RULE_MEMORY, false, judge_awaiting, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {"graph-pools", "ptk", "pools of recorded graphs hold much of the memory",
     "one pool for graphs that never run together (pool=), fewer captured shapes", RULE_MEMORY,
     false, judge_private_pools, REMEDY_NONE, COST_NONE, HELD_BY_NOTHING, NULL},
    {.name = NULL},
};
