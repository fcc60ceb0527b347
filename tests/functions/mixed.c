/* SPDX-License-Identifier: BSD-3-Clause
 * A program and its library (IS_LIBRARY), compiled with hooks of two kinds, whose
 * functions call each other and have small frames. */
#define APART __attribute__((noinline))

extern volatile int sink;

int ours(int n);
int ours_inner(int n);
int theirs(int n, int (*call)(int));
int theirs_inner(int n);

#ifdef IS_LIBRARY
volatile int sink;

APART int
theirs_inner(int n)
{
    return n + sink;
}

APART int
theirs(int n, int (*call)(int))
{
    return call(n) + call(n + 1) + 1;
}
#else
APART int
ours_inner(int n)
{
    return theirs_inner(n) + 1;
}

APART int
ours(int n)
{
    return theirs(n, ours_inner) + 1;
}

int
main(void)
{
    for (int i = 0; i < 5; i++) {
        sink += ours(i);
        sink += theirs_inner(i);
    }
    return 3;
}
#endif
