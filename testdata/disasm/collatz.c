/* The longest chain of n → n/2 or 3n+1 that begins below a limit: without a library, so that it is small.
 * gcc -O2 -g -static -nostdlib -fcf-protection=none -Wl,--build-id=none,-z,noseparate-code */
static inline unsigned long next(unsigned long n)
{
    return n % 2 ? 3 * n + 1 : n / 2;
}

__attribute__((noinline)) unsigned chain(unsigned long n)
{
    unsigned steps = 0;

    while (n != 1) {
        n = next(n);
        steps++;
    }
    return steps;
}

__attribute__((noinline)) unsigned longest(unsigned long limit)
{
    unsigned best = 0;

    for (unsigned long n = 1; n < limit; n++) {
        unsigned steps = chain(n);

        best = steps > best ? steps : best;
    }
    return best;
}

void _start(void)
{
    long status = longest(1000000) == 524 ? 0 : 1;

    __asm__ volatile("syscall" : : "a"(60), "D"(status));
}
