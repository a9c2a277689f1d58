# A step of 6,000 collectives and 30,000 kernels on two ranks, the second of which is slow: parts of
# a tenth of a megabyte, which say what they left out; joined they are what one process makes.
cd "$TMP_DIR" || exit
for rank in 0 1; do
    awk -v rank=$rank 'function event(cat, name, tid, start, length_, more) {
        printf ",{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":0,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}}\n",
            cat, name, tid, start, length_, more
    }
    function work(name, tid, length_, more) {
        event("cuda_runtime", "cudaLaunchKernel", 1, at - 1000, 0.1, "\"correlation\":" ++calls)
        event("kernel", name, tid, at, length_, "\"correlation\":" calls ",\"device\":0,\"stream\":" tid more)
        at += length_
    }
    BEGIN {
        printf "{\"distributedInfo\":{\"rank\":%d,\"world_size\":2},\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[", rank
        printf "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"python\"}}\n"
        at = 2000
        for (sequence = 0; sequence < 6000; sequence++) {
            began = at
            for (i = 0; i < 5; i++)
                work("kernel" sequence % 50 * 5 + i, 7, (2 + i + sequence * 7 % 10 / 10) * (rank ? 1.25 : 1))
            wait = rank ? 0 : (at - began) / 4
            work("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)", 20, 5 + sequence * 3 % 7 / 7 + wait,
                sprintf(",\"Collective name\":\"allreduce\",\"Process Group Name\":\"1\",\"Process Group Description\":\"TENSOR_MODEL_PARALLEL_GROUP\",\"Process Group Ranks\":\"[0, 1]\",\"Group size\":2,\"Seq\":%d,\"In msg nelems\":4096,\"Out msg nelems\":4096,\"dtype\":\"BFloat16\"", sequence))
        }
        event("user_annotation", "ProfilerStep#3", 1, 900, at, "")
        print "]}"
    }' >rank$rank.json
    ptk map -o $rank.part rank$rank.json
    [ "$(wc -c <$rank.part)" -le 100000 ] && echo "rank $rank is small"
done
ptk reduce -o all.part 1.part 0.part
ptk map rank0.json rank1.json | cmp - all.part && echo "the same as of one process"
ptk info all.part | grep folded
ptk job all.part | sed -n '1,3p; /joined\|taken for/p'
