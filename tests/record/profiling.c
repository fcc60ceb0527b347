/* SPDX-License-Identifier: BSD-3-Clause
 * A profile made from samples: their records, modules and events. */
#include "record/profiling.h"

#include "host/memory.h"
#include "tap.h"

enum { LIB = 0x1000, PROGRAM = 0x8000, UNKNOWN = 0xf0000 };
enum { N_SLOTS = 16 };

static struct hpm_experiment *experiment;
static struct hpm_modules modules;
static struct hpm_sampling sampling = {
    .events = {{.event = {.name = (char *)"cycles", .domain = HPM_DOMAIN_USER},
                .period = 1000},
               {.event = {.name = (char *)"cpu-clock",
                          .unit = (char *)"ns",
                          .domain = HPM_DOMAIN_ALL},
                .period = 997}},
    .n_events = 2};
static struct hpm_sampler samples;
static struct hpm_sample_count slots[N_SLOTS];
/* Records: of the process, 0 and 1, and of two threads, each with a section. */
enum { PROCESS, ITS_SECTION, THREAD, SECTION, SECOND, N_RECORDS = 6 };
static struct hpm_node section = {.index = SECTION},
                       its_section = {.index = ITS_SECTION};

static void
add_record(enum hpm_scope scope, bool is_outside)
{
    struct hpm_record *record = hpm_experiment_add_record(experiment);

    record->scope = scope;
    record->is_outside = is_outside;
}

static void
begin(void)
{
    static const struct hpm_mapped lib = {LIB,      LIB + 0x1000, 0x200,
                                          "lib.so", {0xab},       1},
                                   program = {PROGRAM, PROGRAM + 0x1000,
                                              0,       "a.out",
                                              {0},     0};

    experiment = hpm_experiment_new();
    add_record(HPM_SCOPE_PROCESS, true);
    add_record(HPM_SCOPE_PROCESS, false);
    add_record(HPM_SCOPE_THREAD, true);
    add_record(HPM_SCOPE_THREAD, false);
    add_record(HPM_SCOPE_THREAD, true);
    add_record(HPM_SCOPE_THREAD, false);
    hpm_modules_init(&modules);
    hpm_modules_add(&modules, &program);
    hpm_modules_add(&modules, &lib);
    memset(slots, 0, sizeof slots);
    samples = (struct hpm_sampler){.counts = slots, .n_slots = N_SLOTS};
    for (size_t i = 0; i < 2; i++)
        samples.totals[i] = (struct hpm_sample_total){true, true, 0, 100 + i};
}

static void
end(void)
{
    hpm_modules_clear(&modules);
    hpm_experiment_free(experiment);
}

/* Uses every second slot, as in a table with free slots. */
static void
put(size_t i, const struct hpm_node *node, const struct hpm_node *within,
    uint64_t address, uint32_t event, uint64_t n)
{
    slots[2 * i] = (struct hpm_sample_count){
        .node = node,
        .within = within,
        .address = address,
        .part = address != HPM_SAMPLER_LOST
                    ? hpm_modules_find_part(&modules, address)
                    : HPM_MODULES_NO_PART,
        .event = event,
        .n = n};
}

static bool
make(size_t first_record)
{
    struct hpm_profiling profiling;
    bool is_good =
        hpm_profiling_begin(&profiling, experiment, &sampling, 3, &modules) &&
        hpm_profiling_add(&profiling, &samples, first_record);

    hpm_profiling_end(&profiling);
    return is_good;
}

/* The number of samples of a record at that place. */
static uint64_t
n_at(size_t record, size_t event, const char *path, uint64_t offset)
{
    const struct hpm_profile *profile = &experiment->profile;
    uint64_t n = 0;

    for (size_t i = 0; i < profile->n_hits; i++) {
        const struct hpm_profile_hit *hit = &profile->hits[i];
        const char *its_path = hit->module == HPM_PROFILE_NO_MODULE ? "nowhere"
                               : hit->module == HPM_PROFILE_LOST
                                   ? "lost"
                                   : profile->modules[hit->module].path;

        if (hit->record == record && hit->event == event &&
            hit->offset == offset && strcmp(its_path, path) == 0)
            n += hit->n;
    }
    return n;
}

static void
test_events(void)
{
    const struct hpm_profile_event *events;

    begin();
    put(0, &section, NULL, LIB, 0, 4);
    put(1, &section, NULL, LIB, 1, 2);
    put(2, NULL, NULL, HPM_SAMPLER_LOST, 1, 8);
    samples.n_dropped = 16;
    ok(make(THREAD), "a profile is made");
    events = experiment->profile.events;
    is_count(experiment->profile.n_events, 2, "it has the events");
    is_text(events[0].name, "cycles", "with their names,");
    is_text(events[0].unit, "", "units, where they have one,");
    is_text(events[1].unit, "ns", "such as that of clocks,");
    is_text(events[1].domain, "all", "domains");
    is_count(events[1].period, 997, "and periods");
    ok(events[0].has_count && events[0].count == 100 && events[1].count == 101,
       "how much there was of each");
    ok(events[0].n_taken == 4 && events[1].n_taken == 2,
       "how many samples were taken");
    is_count(events[1].n_lost, 8, "how many were lost");
    is_count(events[0].n_lost, 16,
             "those there was no memory for are lost ones of the first");
    is_count(events[0].n_threads_without, 3, "which threads had none");
    end();
}

static void
test_places(void)
{
    begin();
    put(0, &section, NULL, LIB + 0x10, 0, 1);
    put(1, &section, NULL, LIB + 0x20, 0, 2);
    put(2, &section, NULL, PROGRAM + 0x10, 0, 3);
    put(3, &section, NULL, UNKNOWN, 0, 4);
    put(4, &section, NULL, HPM_SAMPLER_LOST, 0, 5);
    ok(make(THREAD), "a profile is made");
    is_count(n_at(SECTION, 0, "lib.so", 0x210), 1, "places are of a file");
    is_count(n_at(SECTION, 0, "lib.so", 0x220), 2, "by their offset there");
    is_count(n_at(SECTION, 0, "a.out", 0x10), 3, "each of its own file");
    is_count(n_at(SECTION, 0, "nowhere", UNKNOWN), 4,
             "without a file by their address");
    is_count(n_at(SECTION, 0, "lost", 0), 5, "and what is lost is nowhere");
    is_count(experiment->profile.n_modules, 2, "each file is there once");
    is_text(experiment->profile.modules[0].build_id, "ab",
            "the first one met comes first, with its build id");
    end();
}

/* A sample is in a section of its thread, and in one of the process. */
static void
test_records(void)
{
    begin();
    put(0, &section, &its_section, LIB, 0, 1);
    put(1, NULL, &its_section, LIB, 0, 2);
    put(2, &section, NULL, LIB, 0, 4);
    put(3, NULL, NULL, HPM_SAMPLER_LOST, 0, 8);
    ok(make(THREAD), "a profile is made");
    is_count(n_at(SECTION, 0, "lib.so", 0x200), 5, "a section has its samples");
    is_count(n_at(THREAD, 0, "lib.so", 0x200), 2,
             "what no section covers has the others of the thread");
    is_count(n_at(ITS_SECTION, 0, "lib.so", 0x200), 3,
             "a section of the process has those of its time");
    is_count(n_at(PROCESS, 0, "lib.so", 0x200), 4, "and so on");
    is_count(n_at(THREAD, 0, "lost", 0) + n_at(PROCESS, 0, "lost", 0), 16,
             "losses are those of both as well");
    is_count(n_at(SECOND, 0, "lib.so", 0x200), 0, "another thread has none");
    end();
}

/* The records of the second thread come after those of the first. */
static void
test_second_thread(void)
{
    begin();
    put(0, NULL, NULL, LIB, 0, 1);
    ok(make(SECOND), "a profile is made");
    is_count(n_at(SECOND, 0, "lib.so", 0x200), 1,
             "what no section covers is looked for in the thread's records");
    is_count(n_at(THREAD, 0, "lib.so", 0x200), 0, "and not in others");
    end();
    begin();
    put(0, NULL, NULL, LIB, 0, 1);
    ok(make(N_RECORDS) && n_at(PROCESS, 0, "lib.so", 0x200) == 1 &&
           experiment->profile.n_hits == 1,
       "a thread without records has its samples in the process's only");
    end();
}

/* For one thread the total count is not known, one has not sampled the second
 * event, and one was not sampled at all. */
static void
test_threads(void)
{
    struct hpm_profiling profiling;
    const struct hpm_profile_event *events;

    begin();
    put(0, NULL, NULL, LIB, 0, 1);
    hpm_profiling_begin(&profiling, experiment, &sampling, 0, &modules);
    hpm_profiling_add(&profiling, &samples, THREAD);
    samples.totals[1].is_sampled = false;
    hpm_profiling_add(&profiling, &samples, SECOND);
    ok(hpm_profiling_add(&profiling, NULL, N_RECORDS),
       "a thread that was not sampled adds nothing");
    samples.totals[0].is_known = false;
    hpm_profiling_add(&profiling, &samples, N_RECORDS);
    hpm_profiling_end(&profiling);
    events = experiment->profile.events;
    is_count(events[0].n_taken, 3, "samples of threads are added up");
    ok(!events[0].has_count, "what one does not know nobody knows");
    is_count(events[0].n_threads_without, 0, "all have sampled the first");
    is_count(events[1].n_threads_without, 2, "and two not the second");
    ok(events[1].has_count && events[1].count == 101,
       "of which the count of the others is known");
    is_count(n_at(PROCESS, 0, "lib.so", 0x200), 3,
             "the process has the samples of all of them");
    end();
}

static void
test_no_memory(void)
{
    unsigned long k = 0;
    bool is_good = false, is_whole = true;

    while (!is_good && k < 1000) {
        begin();
        put(0, &section, &its_section, LIB, 0, 1);
        put(1, NULL, NULL, UNKNOWN, 0, 1);
        hpm_memory_fail_at(++k, false);
        is_good = make(THREAD);
        hpm_memory_fail_at(0, false);
        is_whole = !is_good || (n_at(SECTION, 0, "lib.so", 0x200) == 1 &&
                                n_at(PROCESS, 0, "nowhere", UNKNOWN) == 1);
        end();
    }
    ok(is_good && k > 8 && is_whole, "lack of memory is said, wherever it is");
}

int
main(void)
{
    test_events();
    test_places();
    test_records();
    test_second_thread();
    test_threads();
    test_no_memory();
    return done();
}
