# Traces of phases, a file a rank of every second number (tensor parallel), do not say how many there are: of two
# stages and two data-parallel ranks, one lacks a file.
mkdir "$TMP_DIR/phases" && cd "$TMP_DIR/phases" || exit
for rank in 0 2 4 6; do
    awk -v rank=$rank 'function event(name, class, start, length_) {
        printf ",\n{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{\"step\":0,\"model_chunk\":0,\"mb_id\":0,\"seq_id\":0}}",
            name, rank / 2 % 2, rank * 5 + class, start, length_
    }
    BEGIN {
        stage = int(rank / 4)
        printf "{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"DP rank %d\"}}", rank / 2 % 2, rank / 2 % 2
        split("compute pp-comm tp-comm dp-comm misc", classes, " ")
        for (class = 0; class < 5; class++)
            printf ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"PP rank %d, TP rank 0, %s\"}}", rank / 2 % 2, rank * 5 + class, stage, classes[class + 1]
        event("forward-compute", 0, 100 + stage * 60, 50)
        event("backward-compute", 0, 300 - stage * 60, 100)
        event("optimizer-clip-main-grad", 3, 420, 10)
        event("optimizer", 0, 430, 20)
        print "]}"
    }' >rank$rank.json
done
ptk job -q . | grep ' of 4 ranks'
rm rank4.json
ptk job -q . | grep ' of 4 ranks\|no file'
