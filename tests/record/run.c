/* SPDX-License-Identifier: BSD-3-Clause
 * What a file says of the run: its date, and the state of each counter. */
#include "record/run.h"

#include <time.h>
#include <unistd.h>

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

static void
clear(struct hpm_run *run)
{
    hpm_memory_free(run->program);
    hpm_memory_free(run->job);
    hpm_memory_free(run->start);
    *run = (struct hpm_run){.task = 0};
}

static void
test_describe(void)
{
    const struct timespec start = {0, 0};
    struct hpm_run run = {.task = 0};
    unsigned long n_lacks = 0;
    bool is_good = false;

    while (!is_good && n_lacks < 10) {
        hpm_memory_fail_at(++n_lacks, false);
        is_good = hpm_run_describe(&run, "program", 3, &start);
        hpm_memory_fail_at(0, false);
        if (!is_good)
            clear(&run);
    }
    is_count(n_lacks, 4, "program, job and begin are needed to describe a run");
    is_text(run.program, "program", "its program");
    is_text(run.start, "1970-01-01T00:00:00.000Z", "its begin");
    ok(run.job != NULL && run.task == 3 && run.pid == getpid(),
       "its job, task and process");
    clear(&run);
}

#define ABSENT HPM_STATE_UNDEFINED /* of a record without the counter */

/* The state of a counter that has these in records one after the other, the last
 * of all being absent. */
static enum hpm_state
state_of(enum hpm_state own, const enum hpm_state *states, size_t n)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    enum hpm_state state;

    hpm_experiment_add_counter(experiment)->state = own;
    for (size_t i = 0; i <= n; i++) {
        hpm_experiment_add_record(experiment);
        *hpm_experiment_value(experiment, i, 0) =
            (struct hpm_value){.is_present = i < n && states[i] != ABSENT,
                               .state = i < n ? states[i] : HPM_STATE_COUNTED};
    }
    hpm_run_settle_counters(experiment);
    state = experiment->counters[0].state;
    hpm_experiment_free(experiment);
    return state;
}

static void
test_states(void)
{
    static const enum hpm_state never[] = {ABSENT, HPM_STATE_UNSCHEDULED},
                                once[] = {HPM_STATE_UNSCHEDULED, ABSENT,
                                          HPM_STATE_SHARED, HPM_STATE_LOST};

    ok(state_of(HPM_STATE_SHARED, never, 0) == HPM_STATE_SHARED,
       "without values a counter keeps its state");
    ok(state_of(HPM_STATE_COUNTED, never, 2) == HPM_STATE_UNSCHEDULED,
       "without a value in any record it has theirs, wherever they are");
    ok(state_of(HPM_STATE_COUNTED, once, 4) == HPM_STATE_COUNTED,
       "one value is enough to keep it");
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
    check_date(1095 * day - 1, "the last day but one of a leap year");
    check_date(1095 * day, "the last day of that");
    check_date(1096 * day, "and the first of the next");
    check_date(47481 * day, "2099's last day");
    check_date(47540 * day, "no leap day in 2100");
    test_describe();
    test_states();
    return done();
}
