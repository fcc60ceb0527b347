/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a file about the run: its date, its machine, its resources, and
 * its counters with their states. */
#include "record/run.h"

#include <time.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/clock.h"
#include "source/usage.h"
#include "tap.h"

/* Compare with the date of the C library. */
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

#define ABSENT HPM_STATE_UNDEFINED /* a record without the counter */

/* The state of a counter with these states in successive records; the last
 * record lacks it. */
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

/* ---- events, machine and resources ----------------------------------- */

static const struct hpm_event kernel_event = {.name = (char *)"cycles",
                                              .unit = (char *)"cycles",
                                              .description = (char *)"clocks",
                                              .reason = (char *)"because",
                                              .source = &hpm_source_kernel,
                                              .domain = HPM_DOMAIN_USER,
                                              .state = HPM_STATE_LOST,
                                              .is_hidden = true},
                              process_event = {.name = (char *)"peak",
                                               .domain = HPM_DOMAIN_USER,
                                               .ignores_domain = true,
                                               .belongs_to_process = true,
                                               .state = HPM_STATE_SHARED};

static void
test_counters(void)
{
    struct hpm_event events[] = {kernel_event, process_event};
    const struct hpm_eventset set = {.events = events, .n_events = 2};
    struct hpm_experiment *experiment = hpm_experiment_new();
    const struct hpm_counter *counters;

    ok(hpm_run_add_counters(experiment, &set) && experiment->n_counters == 2,
       "each event is a counter");
    counters = experiment->counters;
    ok(strcmp(counters[0].name, "cycles") == 0 &&
           strcmp(counters[0].unit, "cycles") == 0 &&
           strcmp(counters[0].description, "clocks") == 0 &&
           strcmp(counters[0].reason, "because") == 0 &&
           strcmp(counters[0].source, "kernel") == 0 &&
           strcmp(counters[0].domain, "user") == 0,
       "with its words");
    ok(counters[0].state == HPM_STATE_LOST && counters[0].is_hidden &&
           !counters[0].omits_children,
       "and its state");
    ok(strcmp(counters[1].unit, "") == 0 && counters[1].source == NULL &&
           strcmp(counters[1].domain, "all") == 0 &&
           counters[1].state == HPM_STATE_SHARED && !counters[1].is_hidden &&
           counters[1].omits_children,
       "one of a process counts none of its children, whatever is asked");
    hpm_experiment_free(experiment);
}

static void
test_filter(void)
{
    const struct hpm_filter filter = {
        .only = "a*", .except = "b*", .n_skipped = 7};
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_run *run = &experiment->run;

    ok(hpm_run_set_filter(run, &filter) && strcmp(run->only, "a*") == 0 &&
           strcmp(run->except, "b*") == 0 && run->n_skipped == 7,
       "a run says what was left out");
    hpm_memory_fail_at(1, false);
    ok(!hpm_run_set_filter(run, &filter), "without memory it does not");
    hpm_memory_fail_at(2, false);
    ok(!hpm_run_set_filter(run, &filter), "whichever there is none for");
    hpm_memory_fail_at(0, false);
    hpm_experiment_free(experiment);
}

static void
test_resources(void)
{
    const struct rusage usage = {.ru_minflt = 12, .ru_majflt = 3};
    struct hpm_experiment *experiment = hpm_experiment_new();
    uint64_t sum = 0, n_known = 0;

    ok(hpm_run_add_resources(experiment, &usage), "resources are added");
    for (size_t i = 0; i < experiment->n_resources; i++) {
        sum += experiment->resources[i].value;
        n_known += experiment->resources[i].is_known;
    }
    is_count(sum, 15, "with their values");
    ok(experiment->n_resources == HPM_USAGE_FIELDS && n_known > 2 &&
           experiment->resources[0].name == hpm_usage_fields[0].name &&
           experiment->resources[0].unit == hpm_usage_fields[0].unit &&
           experiment->resources[0].description ==
               hpm_usage_fields[0].description,
       "and names");
    hpm_experiment_free(experiment);
}

/* The resources of this process are not those of the replayed program. */
static void
test_resources_replayed(void)
{
    const struct rusage usage = {.ru_minflt = 12};
    struct hpm_experiment *experiment = hpm_experiment_new();

    hpm_clock_replay();
    ok(hpm_run_add_resources(experiment, &usage) &&
           experiment->n_resources == 0,
       "of a replayed run there are no resources, which is no lack");
    hpm_clock_replay_end();
    hpm_experiment_free(experiment);
}

static bool
describe(struct hpm_experiment *experiment, bool *ret_has_words)
{
    struct hpm_event events[] = {kernel_event, process_event};
    const struct hpm_eventset set = {.events = events, .n_events = 2};
    struct hpm_machine *machine = &experiment->machine;
    bool is_good = hpm_run_describe_machine(machine, &set, 0.5) &&
                   hpm_run_add_counters(experiment, &set) &&
                   hpm_run_add_resources(experiment, &(struct rusage){0});

    *ret_has_words =
        machine->host != NULL && machine->system != NULL &&
        machine->architecture != NULL && machine->facts != NULL &&
        (machine->mhz > 0.0) == (machine->mhz_source != NULL) &&
        machine->n_cpus > 0 && machine->n_allowed > 0 &&
        machine->n_allowed <= machine->n_cpus &&
        machine->has_hardware_counters == (machine->no_counters_reason == NULL);
    return is_good;
}

/* Whichever allocation fails, this is reported, or the text is one that may be
 * missing.  Facts about this processor are read once, before. */
static void
test_no_memory(void)
{
    unsigned long n_lacks = 0, n_false = 0;
    bool is_good_with_memory = false, has_words;

    for (unsigned long k = 0; k < 300; k++) {
        struct hpm_experiment *experiment = hpm_experiment_new();
        bool is_good;

        hpm_memory_fail_at(k, false);
        is_good = describe(experiment, &has_words);
        hpm_memory_fail_at(0, false);
        is_good_with_memory |= k == 0 && is_good && has_words;
        n_lacks += !is_good;
        n_false += is_good && !has_words;
        hpm_experiment_free(experiment);
    }
    ok(is_good_with_memory, "with memory all is there");
    ok(n_lacks > 15 && n_false == 0, "without memory for a word of machine, "
                                     "counters or resources, it is said");
    printf("# %lu lacks\n", n_lacks);
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
    test_counters();
    test_filter();
    test_resources();
    test_resources_replayed();
    test_no_memory();
    return done();
}
