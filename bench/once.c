/* Runs a command once, its output into a file, and prints what it took: once OUTPUT COMMAND...
 * "wall processor peak status" in seconds, seconds, KB. A small parent, because a child inherits its parent's peak. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int main(int count, char **words)
{
    struct rusage usage;
    int status, output = count > 2 ? open(words[1], O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    double begun = seconds();
    pid_t child = output < 0 ? -1 : fork();

    if (child == 0) {
        dup2(output, 1);
        dup2(open("/dev/null", O_WRONLY), 2);
        execvp(words[2], words + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0)
        return perror("once"), 1;
    printf("%.6f %.6f %ld %d\n", seconds() - begun, of(usage.ru_utime) + of(usage.ru_stime), usage.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
