/* Work for perf record: recursion over three functions that are never inlined. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static unsigned long mix(unsigned long x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = x * 6364136223846793005ul + 1442695040888963407ul;
    return x + 1;
}

__attribute__((noinline)) static unsigned long leaf(unsigned long x)
{
    return x + mix(x, 300);
}

__attribute__((noinline)) static unsigned long walk(int depth, unsigned long x)
{
    if (depth == 0)
        return x & 1 ? leaf(x) : mix(x, 150) + 2;
    unsigned long left = walk(depth - 1, x * 31 + 7);
    return left ^ walk(depth - 1, left + 3);
}

int main(int count, char **words)
{
    unsigned long sum = 1;

    for (int i = count > 1 ? atoi(words[1]) : 100; i > 0; i--)
        sum += walk(12, sum);
    printf("%lu\n", sum);
    return 0;
}
