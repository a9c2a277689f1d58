/* SPDX-License-Identifier: Apache-2.0 */
/* frames.c — functions whose frames are laid out in several ways, without frame pointers
 *
 *   gcc -O2 -g0 -nostdlib -static -fomit-frame-pointer -fno-stack-protector -fcf-protection=none
 *       -Wl,--build-id,-z,noseparate-code frames.c -o frames */
#include <stddef.h>

#define APART __attribute__((noipa))

static volatile unsigned sink;

APART void spin(unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++)
        sink += i;
}

/* Its frame grows while it runs. */
APART void of_any_size(unsigned size)
{
    char room[size];

    for (unsigned i = 0; i < size; i++)
        room[i] = (char)i;
    spin(30000000);
    sink += (unsigned char)room[size / 2];
}

/* A frame for each call, and registers that the caller wants back. */
APART unsigned depth_first(unsigned depth, unsigned a, unsigned b, unsigned c)
{
    if (depth == 0) {
        spin(a + b + c);
        return a;
    }
    return depth_first(depth - 1, b, c, a) + depth_first(depth - 1, c, a, b) + a * b * c;
}

APART void call_back(void (*function)(unsigned), unsigned argument)
{
    function(argument);
    sink++;
}

APART void run(void)
{
    for (int i = 0; i < 3; i++) {
        sink += depth_first(3, 4000000, 2000000, 2000000);
        call_back(of_any_size, 500);
        call_back(spin, 50000000);
    }
}

/* Where the kernel begins: nobody called it. */
__asm__(".globl _start\n"
        "_start:\n"
        ".cfi_startproc\n"
        ".cfi_undefined rip\n"
        "call run\n"
        "mov $60, %eax\n"
        "xor %edi, %edi\n"
        "syscall\n"
        ".cfi_endproc\n");
