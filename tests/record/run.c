/* SPDX-License-Identifier: BSD-3-Clause
 * What a file says of the run: its date. */
#include "record/run.h"

#include <time.h>

#include "host/memory.h"
#include "tap.h"

/* As the C library says it. */
static void
check_date(time_t seconds, const char *sentence)
{
    struct timespec start = {seconds, 45000000};
    struct hpm_run run = {.task = 0};
    char expected[64];
    struct tm utc;

    gmtime_r(&seconds, &utc);
    strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%S.045Z", &utc);
    ok(hpm_run_set_start(&run, &start), "there is memory for a date");
    is_text(run.start, expected, sentence);
    hpm_memory_free(run.start);
}

int
main(void)
{
    const time_t day = 86400;

    check_date(0, "the first second");
    check_date(951782399, "before the leap day of a 400th year");
    check_date(951782400, "that leap day");
    check_date(951868800, "the day after");
    check_date(1798761599, "the last second of a year");
    check_date(1798761600, "the first of the next");
    check_date(47481 * day, "2099's last day");
    check_date(47540 * day, "no leap day in 2100");
    return done();
}
