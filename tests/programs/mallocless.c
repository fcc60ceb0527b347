/* SPDX-License-Identifier: BSD-3-Clause
 * A program that must not call malloc from a certain point on, as if a signal
 * handler had interrupted malloc there.  It measures for the first time after
 * that point, and ends; a call of malloc ends it at once with status 3. */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <libhpm.h>

/* The C library's own functions, used before that point. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *memory, size_t size);

static volatile int is_forbidden;

static void
refuse_if_forbidden(void)
{
    static const char words[] = "malloc was called\n";

    if (!is_forbidden)
        return;
    is_forbidden = 0;
    _exit(write(2, words, strlen(words)) > 0 ? 3 : 4);
}

void *
malloc(size_t size)
{
    refuse_if_forbidden();
    return __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
    refuse_if_forbidden();
    return __libc_calloc(n, size);
}

void *
realloc(void *memory, size_t size)
{
    refuse_if_forbidden();
    return __libc_realloc(memory, size);
}

int
main(void)
{
    hpmInit(-1, NULL);
    is_forbidden = 1;
    for (int i = 0; i < 2000; i++) {
        hpmTstart(i, "thread");
        hpmStart(5000 + i, "process");
        hpmStop(5000 + i);
        hpmTstop(i);
    }
    return 0;
}
