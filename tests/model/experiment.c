/* SPDX-License-Identifier: BSD-3-Clause
 * The experiment: rows and columns, families, and lack of memory. */
#include "model/experiment.h"

#include "host/memory.h"
#include "tap.h"

enum { N_COUNTERS = 3, N_RECORDS = 200 };

/* ---- values ---------------------------------------------------------- */

static bool
add_counters(struct hpm_experiment *experiment)
{
    static const char *const names[] = {"cycles", "instructions",
                                        "page-faults"};

    for (size_t i = 0; i < N_COUNTERS; i++) {
        struct hpm_counter *counter = hpm_experiment_add_counter(experiment);

        if (counter == NULL ||
            !hpm_experiment_set_text(&counter->name, names[i]) ||
            !hpm_experiment_set_text(&counter->unit, "") ||
            !hpm_experiment_set_text(&counter->source, "kernel") ||
            !hpm_experiment_set_text(&counter->description, "something") ||
            !hpm_experiment_set_text(&counter->domain, "user") ||
            !hpm_experiment_set_text(&counter->reason, "no reason"))
            return false;
    }
    return true;
}

/* Record i is called by record i - 1, except that every tenth is a new root;
 * value (i, j) is 1000 i + j. */
static bool
add_records(struct hpm_experiment *experiment, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct hpm_record *record = hpm_experiment_add_record(experiment);

        if (record == NULL)
            return false;
        if (i % 10 != 0)
            record->parent = i - 1;
        for (size_t j = 0; j < experiment->n_counters; j++)
            hpm_experiment_value(experiment, i, j)->total = 1000 * i + j;
        if (!hpm_experiment_set_text(&record->label, "section") ||
            !hpm_experiment_set_text(&record->file, "a.c"))
            return false;
    }
    return true;
}

static bool
has_right_values(const struct hpm_experiment *experiment)
{
    bool is_right = true;

    for (size_t i = 0; i < experiment->n_records; i++) {
        for (size_t j = 0; j < experiment->n_counters; j++)
            is_right =
                is_right &&
                hpm_experiment_value(experiment, i, j)->total == 1000 * i + j;
    }
    return is_right;
}

static void
test_values(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();

    ok(add_counters(experiment) && add_records(experiment, N_RECORDS),
       "an experiment can be built");
    is_count(experiment->n_counters, N_COUNTERS, "it has all its counters");
    is_count(experiment->n_records, N_RECORDS, "it has all its records");
    ok(has_right_values(experiment),
       "each record and counter has a value of its own");
    is_text(experiment->counters[2].name, "page-faults",
            "counters stay in their order");
    hpm_experiment_free(experiment);
}

static bool
is_zero(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;

    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

static void
test_new_is_zero(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_clean = true;

    ok(is_zero(experiment, sizeof *experiment), "a new experiment is empty");
    for (int i = 0; i < 40; i++) {
        struct hpm_counter *counter = hpm_experiment_add_counter(experiment);
        struct hpm_resource *resource = hpm_experiment_add_resource(experiment);
        struct hpm_problem *problem = hpm_experiment_add_problem(experiment);

        is_clean = is_clean && is_zero(counter, sizeof *counter) &&
                   is_zero(resource, sizeof *resource) &&
                   is_zero(problem, sizeof *problem);
        resource->value = 1;
        problem->count = 1;
        counter->is_hidden = true;
    }
    ok(is_clean, "new counters, resources and problems are zeroed");
    is_count(experiment->n_resources, 40, "resources are counted");
    is_count(experiment->n_problems, 40, "problems are counted");
    hpm_experiment_free(experiment);
}

static void
test_new_record(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_alone = true, is_clean = true;

    add_counters(experiment);
    for (size_t i = 0; i < N_RECORDS; i++) {
        struct hpm_record *record = hpm_experiment_add_record(experiment);

        is_alone = is_alone && record->parent == HPM_NO_RECORD &&
                   record->within == HPM_NO_RECORD && record->omp == -1 &&
                   record->label == NULL && record->calls == 0 &&
                   is_zero(&record->time, sizeof record->time);
        for (size_t j = 0; j < N_COUNTERS; j++) {
            struct hpm_value *value = hpm_experiment_value(experiment, i, j);

            is_clean = is_clean && is_zero(value, sizeof *value);
            memset(value, 0xff, sizeof *value);
        }
    }
    ok(is_alone, "a new record is in no other and in no OpenMP team");
    ok(is_clean, "its values are not present yet");
    hpm_experiment_free(experiment);
}

static void
test_no_counters(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();

    ok(add_records(experiment, 20), "records need no counters");
    is_count(experiment->n_records, 20, "all of them are there");
    hpm_experiment_free(experiment);
}

/* ---- families and names ---------------------------------------------- */

static void
test_depth(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_right = true;

    add_records(experiment, N_RECORDS);
    for (size_t i = 0; i < N_RECORDS; i++)
        is_right = is_right && hpm_experiment_depth(experiment, i) == i % 10;
    ok(is_right, "the depth is the number of records around");
    hpm_experiment_free(experiment);
}

static void
check_names(const char *label, const char *file, const char *shown,
            const char *lid)
{
    char label_copy[64], file_copy[64], sentence[128];
    struct hpm_record record = {.instance = -7,
                                .label = label_copy,
                                .file = file_copy,
                                .line_start = 775};
    struct hpm_string text = {0};

    strcpy(label_copy, label);
    strcpy(file_copy, file);
    snprintf(sentence, sizeof sentence, "label '%s' of file '%s'", label, file);
    hpm_record_add_label(&record, &text);
    is_text(hpm_string_text(&text), shown, sentence);
    hpm_string_clear(&text);
    hpm_record_add_lid(&record, &text);
    snprintf(sentence, sizeof sentence, "lid of '%s' in file '%s'", label,
             file);
    is_text(hpm_string_text(&text), lid, sentence);
    hpm_string_free(&text);
}

static void
test_names(void)
{
    check_names("main loop", "/home/u/swim.f", "main loop", "swim.f775");
    check_names("", "swim.f", "#-7", "swim.f775");
    check_names("main loop", "", "main loop", "main loop");
    check_names("", "", "#-7", "#-7");
    is_text(hpm_scope_name(HPM_SCOPE_THREAD), "thread", "one thread's scope");
    is_text(hpm_scope_name(HPM_SCOPE_PROCESS), "process",
            "the whole process's scope");
}

static void
test_set_text(void)
{
    char *field = NULL;
    char before[] = "before";

    ok(hpm_experiment_set_text(&field, before), "a text can be set");
    before[0] = 'x';
    is_text(field, "before", "it is a copy");
    hpm_memory_fail_at(1, false);
    ok(!hpm_experiment_set_text(&field, "after"), "without memory it fails");
    is_text(field, "before", "and leaves the old text");
    ok(hpm_experiment_set_text(&field, "after"), "a text can be replaced");
    is_text(field, "after", "by another");
    ok(hpm_experiment_set_text(&field, NULL) && field == NULL, "or by none");
}

/* ---- memory ---------------------------------------------------------- */

static bool
fill_run(struct hpm_experiment *experiment)
{
    struct hpm_run *run = &experiment->run;
    struct hpm_machine *machine = &experiment->machine;
    char **fields[] = {&run->program,        &run->job,
                       &run->start,          &run->reason,
                       &run->exit_status,    &machine->host,
                       &machine->system,     &machine->architecture,
                       &machine->cpu,        &machine->pmu,
                       &machine->mhz_source, &machine->no_counters_reason};

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (!hpm_experiment_set_text(fields[i], "text"))
            return false;
    }
    return true;
}

static bool
fill_rest(struct hpm_experiment *experiment)
{
    for (int i = 0; i < 20; i++) {
        struct hpm_problem *problem = hpm_experiment_add_problem(experiment);

        if (hpm_experiment_add_resource(experiment) == NULL ||
            problem == NULL ||
            !hpm_experiment_set_text(&problem->text, "a problem"))
            return false;
    }
    return true;
}

static void
test_tell(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_string text = {0};

    hpm_string_add(&text, "what was met");
    ok(hpm_experiment_tell(experiment, &text) && experiment->n_problems == 1,
       "a problem is told");
    is_text(experiment->problems[0].text, "what was met", "in its words");
    is_count(experiment->problems[0].count, 1, "it was met once");
    text.failed = true;
    ok(!hpm_experiment_tell(experiment, &text), "without memory it is not");
    hpm_experiment_free(experiment);
}

static struct hpm_experiment *
build(bool *ret_is_whole)
{
    struct hpm_experiment *experiment = hpm_experiment_new();

    *ret_is_whole = experiment != NULL && fill_run(experiment) &&
                    fill_rest(experiment) && add_counters(experiment) &&
                    add_records(experiment, 40);
    return experiment;
}

/* Every allocation may fail, once or with all after it; the part that exists is
 * correct and can be freed (the sanitizers see leaks). */
static void
test_no_memory(void)
{
    bool is_right = true, is_whole = false;
    unsigned long k;

    for (k = 1; k < 1000 && !is_whole; k++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            struct hpm_experiment *experiment;

            hpm_memory_fail_at(k, for_ever);
            experiment = build(&is_whole);
            hpm_memory_fail_at(0, false);
            is_right = is_right &&
                       (experiment == NULL || has_right_values(experiment));
            hpm_experiment_free(experiment);
        }
    }
    ok(is_right, "with memory running out, what is kept is right");
    ok(is_whole && k > 100, "every allocation has failed once");
}

static void
test_record_without_memory(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_right = true;
    int n_refused = 0;

    add_counters(experiment);
    for (int attempt = 0; attempt < 100; attempt++) {
        size_t n = experiment->n_records;

        hpm_memory_fail_at(1 + attempt % 2, true);
        if (hpm_experiment_add_record(experiment) == NULL) {
            is_right = is_right && experiment->n_records == n;
            n_refused++;
        }
        hpm_memory_fail_at(0, false);
        if (experiment->n_records == n)
            hpm_experiment_add_record(experiment);
        is_right = is_right && experiment->n_records == n + 1 &&
                   is_zero(hpm_experiment_value(experiment, n, 0),
                           N_COUNTERS * sizeof(struct hpm_value));
    }
    ok(is_right && n_refused > 0,
       "a record there is no memory for is not added");
    hpm_experiment_free(experiment);
}

/* Memory for two calls of a record, with two counters; the test writes all of
 * it. */
static bool
has_room(struct hpm_calls *calls)
{
    bool is_zeroed = calls->n == 2 && calls->n_counters == 2 &&
                     calls->record == 0 && calls->n_made == 0;

    for (size_t i = 0; i < calls->n; i++) {
        is_zeroed = is_zeroed && calls->calls[i].number == 0;
        calls->calls[i].number = 7;
    }
    for (size_t i = 0; i < calls->n * calls->n_counters; i++) {
        is_zeroed = is_zeroed && !calls->counts[i].is_there;
        calls->counts[i].is_there = true;
    }
    calls->record = 9;
    calls->n_made = 100;
    return is_zeroed;
}

/* Any allocation may fail; a failed attempt leaves nothing for the next one. */
static void
test_calls(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_right = true;
    size_t n_refused = 0;

    for (unsigned attempt = 0; attempt < 40; attempt++) {
        size_t n = experiment->n_calls;
        struct hpm_calls *calls;

        hpm_memory_fail_at(1 + attempt % 3, attempt % 2 == 0);
        calls = hpm_experiment_add_calls(experiment, 2, 2);
        hpm_memory_fail_at(0, false);
        if (calls == NULL) {
            is_right = is_right && experiment->n_calls == n;
            n_refused++;
            calls = hpm_experiment_add_calls(experiment, 2, 2);
        }
        is_right = is_right && calls == &experiment->calls[n] &&
                   experiment->n_calls == n + 1 && has_room(calls);
    }
    ok(is_right, "single calls have room of their own, behind earlier ones");
    ok(n_refused > 20, "and are not added where there is no memory");
    hpm_experiment_free(experiment);
}

static void
test_free(void)
{
    hpm_experiment_free(NULL);
    hpm_experiment_free(hpm_experiment_new());
    hpm_memory_fail_at(1, false);
    ok(hpm_experiment_new() == NULL, "without memory there is no experiment");
}

int
main(void)
{
    test_values();
    test_new_is_zero();
    test_new_record();
    test_no_counters();
    test_depth();
    test_names();
    test_set_text();
    test_tell();
    test_no_memory();
    test_record_without_memory();
    test_calls();
    test_free();
    return done();
}
