cd testdata/chrome/job
for task in 0 1 2; do ptk map --share $task/3 -o "$TMP_DIR/$task.part" .; done
ptk map -o "$TMP_DIR/all.part" . && cd "$TMP_DIR"
ptk reduce -o three.part ?.part && cmp three.part all.part && echo shares
cd "$OLDPWD"
SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_COUNT=4 ptk map --share auto . |
    ptk reduce -o "$TMP_DIR/one.part" - && ptk job -q -f csv "$TMP_DIR/one.part"
OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=6 ptk map --share auto -o "$TMP_DIR/last.part" . && ls "$TMP_DIR/last.part" | wc -l
ptk map --share auto .
ptk map --share 3/3 .
ptk map --share a/b .
