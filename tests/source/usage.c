/* SPDX-License-Identifier: BSD-3-Clause
 * Resource usage: the meaning of fields, what is subtracted, and when a clock
 * has missed too much. */
#include "source/usage.h"

#include "host/memory.h"
#include "source/source.h"
#include "tap.h"

/* Each field has another number. */
static const struct rusage usage = {.ru_utime = {1, 500000},
                                    .ru_stime = {2, 250000},
                                    .ru_maxrss = 3,
                                    .ru_ixrss = 4,
                                    .ru_idrss = 5,
                                    .ru_minflt = 6,
                                    .ru_majflt = 7,
                                    .ru_nswap = 8,
                                    .ru_inblock = 9,
                                    .ru_oublock = 10,
                                    .ru_msgsnd = 11,
                                    .ru_msgrcv = 12,
                                    .ru_nsignals = 13,
                                    .ru_nvcsw = 14,
                                    .ru_nivcsw = 15};

static struct hpm_event
found(const char *name, enum hpm_finding expected)
{
    struct hpm_event event = {.name = NULL};
    struct hpm_error err;

    ok(hpm_source_usage.find(name, HPM_DOMAIN_USER, &event, &err) == expected,
       name);
    return event;
}

static void
test_fields(void)
{
    uint64_t value;

    is_count(hpm_usage_value(&usage, 0), 1500000000, "user time comes first");
    is_count(hpm_usage_value(&usage, 1), 2250000000, "then system time");
    for (size_t i = 2; i < HPM_USAGE_FIELDS; i++)
        is_count(hpm_usage_value(&usage, i), i + 1, hpm_usage_fields[i].name);
    is_count(hpm_usage_processor_ns(&usage), 3750000000, "both are its time");
    for (size_t i = 0; i < HPM_USAGE_FIELDS; i++) {
        struct hpm_event event =
            found(hpm_usage_fields[i].name, hpm_usage_fields[i].is_known
                                                ? HPM_FINDING_FOUND
                                                : HPM_FINDING_FAILED);

        if (!hpm_usage_fields[i].is_known)
            continue;
        ok(hpm_usage_take(&event, &usage, &value) &&
               value == hpm_usage_value(&usage, i),
           "its event has its value");
        ok(hpm_usage_is_time(&event) == (i < 2) &&
               hpm_usage_is_peak(&event) == (i == 2) &&
               !hpm_usage_is_io(&event) && event.is_coarse,
           "and its kind");
        hpm_event_clear(&event);
    }
    found("ru::nosuch", HPM_FINDING_UNKNOWN);
}

static void
test_io(void)
{
    const struct hpm_usage_io before = {true, {1, 2, 3, 4, 5, 6}},
                              after = {true, {11, 22, 33, 44, 55, 66}},
                              unknown = {.is_known = false};
    struct hpm_event event = {.source = &hpm_source_kernel, .encoding.type = 1};
    uint64_t value = 77;

    ok(!hpm_usage_is_io(&event) && !hpm_usage_take(&event, &usage, &value) &&
           !hpm_usage_take_io(&event, &before, &after, &value),
       "an event of another source is none of these");
    event.source = &hpm_source_usage;
    event.encoding.config = 3;
    ok(hpm_usage_is_io(&event) && !hpm_usage_is_time(&event) &&
           !hpm_usage_is_peak(&event) &&
           !hpm_usage_take(&event, &usage, &value),
       "i/o is not of getrusage");
    ok(hpm_usage_take_io(&event, &before, &after, &value) && value == 40,
       "its value is between two readings");
    value = 77;
    ok(!hpm_usage_take_io(&event, &unknown, &after, &value) &&
           !hpm_usage_take_io(&event, &before, &unknown, &value) && value == 77,
       "both of which have to be known");
}

static void
test_take_off(void)
{
    const struct rusage before = {.ru_utime = {0, 600000},
                                  .ru_stime = {9, 0},
                                  .ru_maxrss = 1,
                                  .ru_minflt = 1,
                                  .ru_majflt = 8,
                                  .ru_inblock = 2,
                                  .ru_oublock = 3,
                                  .ru_nvcsw = 4,
                                  .ru_nivcsw = 15};
    struct rusage rest = usage;

    hpm_usage_take_off(&rest, &before);
    ok(rest.ru_utime.tv_sec == 0 && rest.ru_utime.tv_usec == 900000,
       "times are taken off");
    ok(rest.ru_stime.tv_sec == 0 && rest.ru_stime.tv_usec == 0,
       "and never below 0");
    ok(rest.ru_maxrss == 3, "sizes stay");
    ok(rest.ru_minflt == 5 && rest.ru_majflt == 0 && rest.ru_inblock == 7 &&
           rest.ru_oublock == 7 && rest.ru_nvcsw == 10 && rest.ru_nivcsw == 0,
       "counts are as times");
}

static void
test_short(void)
{
    const uint64_t most = HPM_USAGE_SHORT_NS;

    ok(!hpm_usage_is_clock_short(1000 * most, 1000 * most) &&
           !hpm_usage_is_clock_short(1000 * most, 2000 * most),
       "a clock that saw all is not short");
    ok(!hpm_usage_is_clock_short(2 * most, most),
       "nor one that misses what chance makes");
    ok(hpm_usage_is_clock_short(2 * most, most - 1), "more is too much,");
    ok(!hpm_usage_is_clock_short(1000 * most, 900 * most) &&
           hpm_usage_is_clock_short(1000 * most, 900 * most - 1),
       "where it is more than a tenth");
}

static void
test_uncounted(void)
{
    struct rusage some = {.ru_minflt = 0};

    is_count(hpm_usage_uncounted_ns(&some), 100000, "a little is always lost");
    some.ru_minflt = 1;
    some.ru_majflt = 1;
    is_count(hpm_usage_uncounted_ns(&some), 103000, "more with page faults,");
    some.ru_nvcsw = 1;
    some.ru_nivcsw = 1;
    is_count(hpm_usage_uncounted_ns(&some), 125000, "switches,");
    some.ru_maxrss = 8;
    is_count(hpm_usage_uncounted_ns(&some), 126000, "and size");
}

static void
test_process(void)
{
    struct rusage before, process, after;

    getrusage(RUSAGE_SELF, &before);
    hpm_usage_of_process(&process);
    getrusage(RUSAGE_SELF, &after);
    ok(process.ru_minflt >= before.ru_minflt &&
           process.ru_minflt <= after.ru_minflt &&
           process.ru_maxrss >= before.ru_maxrss,
       "a process without children has used what it has itself");
}

int
main(void)
{
    test_fields();
    test_io();
    test_take_off();
    test_short();
    test_uncounted();
    test_process();
    return done();
}
