/* SPDX-License-Identifier: BSD-3-Clause
 * A plug-in with a function NAME; two of them, one after the other, are loaded at the
 * same addresses. */
static volatile int sink;

void run(void);

__attribute__((noinline)) static void
NAME(void)
{
    sink++;
}

__attribute__((no_instrument_function)) void
run(void)
{
    NAME();
}
