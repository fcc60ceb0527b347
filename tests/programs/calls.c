/* SPDX-License-Identifier: BSD-3-Clause
 * The calls beside start and stop; ends with 0 when their results are right. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <libhpm.h>

static int n_wrong;

static void
expect(int is_right, const char *sentence)
{
    if (is_right)
        return;
    printf("wrong: %s\n", sentence);
    n_wrong++;
}

/* Cause n page faults. */
static void
touch(int n)
{
    enum { PAGE = 65536 };
    size_t size = (size_t)n * PAGE;
    volatile char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    madvise((void *)memory, size, MADV_NOHUGEPAGE);
    for (int i = 0; i < n; i++)
        memory[i * PAGE] = 1;
    munmap((void *)memory, size);
}

/* HPM_EVENTS is "page-faults,nosuch". */
static void
check_readings(void)
{
    long long first[4] = {7, 7, 7, 7}, later[4];
    double start, end;

    hpmGetTimeAndCounters(4, &start, first);
    touch(100);
    hpmGetTimeAndCounters(4, &end, later);
    expect(end > start, "time goes on");
    expect(first[0] < 0 || later[0] - first[0] >= 100,
           "page faults are counted");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    /* a sanitizer has page faults of its own */
    expect(first[0] < 0 || later[0] - first[0] <= 110, "and little else");
#endif
    expect(later[1] == -1, "an event that cannot be counted is -1");
    expect(later[2] == -1 && later[3] == -1, "room without a counter is -1");
    later[2] = 5;
    hpmGetCounters(later);
    expect(later[2] == 5, "hpmGetCounters fills no more than there are");
    hpmGetTimeAndCounters(0, NULL, NULL);
    hpmGetCounters(NULL);
}

int
main(void)
{
    long long values[2] = {7, 7};
    double time = 7.0;

    expect(hpmVersion() == LIBHPM_VERSION, "header and library agree");
    hpm_init(-1);
    check_readings();
    expect(hpm_error_count == 0, "no error yet");
    hpmTstart(1, "outer");
    hpmTstart(2, "inner");
    hpmWork(2, 100, "cells");
    hpmWork(1, 11, "cells");
    hpmTstartx(3, 1, "beside");
    hpmWork(3, 1000, "cells");
    hpmTstop(3);
    hpmTstartx(4, HPM_ONLY_EXCLUSIVE, "alone");
    hpmTstop(4);
    hpmTstop(2);
    hpmTstop(1);
    hpm_tstart(5);
    hpm_tstop(5);
    hpm_start(6);
    hpmStartx(7, HPM_NO_PARENT, "apart");
    hpmWork(7, 3, NULL);
    hpmStop(7);
    hpm_stop(6);
    expect(hpm_error_count == 0, "still no error");
    hpmWork(99, 1, "cells");
    hpmTstop(98);
    hpmTstartx(8, 97, "orphan");
    hpmTstop(8);
    expect(hpm_error_count == 3, "three errors are counted");
    hpm_terminate(-1);
    hpmGetTimeAndCounters(2, &time, values);
    expect(time == 0.0 && values[0] == -1 && values[1] == -1,
           "after the end there are no values");
    return n_wrong != 0;
}
