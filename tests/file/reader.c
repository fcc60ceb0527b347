/* SPDX-License-Identifier: BSD-3-Clause
 * The reader: what was written comes back, and no bytes do harm. */
#include "config.h"

#include "file/reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "file/studyfile.h"
#include "file/writer.h"
#include "tap.h"

static uint64_t random_state = 20261121;

/* Always the same numbers, in no order. */
static uint64_t
next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int
below(int n)
{
    return (int)(next_random() % (unsigned)n);
}

/* ---- experiments of all kinds ---------------------------------------- */

static void
random_text(char **field)
{
    static const char *const texts[] = {
        "",          "main loop",          "a<b>&\"c\"'",  "tab\tnew\nline",
        "C:\\x41\\", "gr\xc3\xb6\xc3\x9f", "\xff\xfe\x01", "#7",
        "  blanks  "};

    hpm_experiment_set_text(field, texts[below(9)]);
}

static uint64_t
random_count(void)
{
    return next_random() >> below(64);
}

static double
random_real(void)
{
    return below(4) == 0 ? NAN
                         : (double)random_count() / (double)(1 + below(1000));
}

static struct hpm_value
random_value(void)
{
    struct hpm_value value = {.is_present = below(8) != 0,
                              .has_exclusive = below(4) != 0,
                              .lacks_total = below(10) == 0,
                              .total = random_count(),
                              .exclusive = random_count(),
                              .mean = random_real(),
                              .deviation = random_real(),
                              .share = NAN,
                              .has_overhead = below(2) == 0,
                              .overhead = random_count(),
                              .uncertainty = (double)below(1000),
                              .n_clamped = below(3)};

    if (value.lacks_total)
        value.has_exclusive = true;
    if (below(6) == 0) {
        value.state = (enum hpm_state)below(7);
        value.share = (double)below(100) / 100.0;
    }
    return value;
}

static void
add_random_counters(struct hpm_experiment *experiment)
{
    int n = below(6);

    for (int i = 0; i < n; i++) {
        struct hpm_counter *counter = hpm_experiment_add_counter(experiment);
        char name[32];

        snprintf(name, sizeof name, "event<%d>", i);
        hpm_experiment_set_text(&counter->name, name);
        hpm_experiment_set_text(&counter->unit, below(2) ? "ns" : "");
        hpm_experiment_set_text(&counter->source, "kernel");
        hpm_experiment_set_text(&counter->domain, "user");
        random_text(&counter->reason);
        random_text(&counter->description);
        counter->kind = (enum hpm_counter_kind)below(2);
        counter->is_hidden = below(4) == 0;
        counter->state = (enum hpm_state)below(7);
    }
}

static void
add_random_record(struct hpm_experiment *experiment)
{
    size_t i = experiment->n_records;
    struct hpm_record *record = hpm_experiment_add_record(experiment);

    record->scope = (enum hpm_scope)(below(4) == 0);
    record->tid = record->scope == HPM_SCOPE_PROCESS ? -1 : below(3);
    for (size_t j = i; j-- > 0;) {
        const struct hpm_record *other = &experiment->records[j];

        if (other->scope == record->scope && other->tid == record->tid &&
            below(2))
            record->parent = j;
        if (other->scope == HPM_SCOPE_PROCESS && below(2))
            record->within = j;
    }
    record->instance = below(5) - 2;
    random_text(&record->label);
    hpm_experiment_set_text(&record->file,
                            below(4) ? "/src/swim.f" : "/other/swim.f");
    record->line_start = (int)i + 1;
    record->line_end = below(1000);
    record->calls = random_count();
    record->outer = below(2) ? record->calls : random_count();
    record->n_skipped = (uint64_t)below(2);
    record->n_threads = below(2);
    record->omp = below(3) - 1;
    record->is_open = below(2);
    record->is_short = below(2);
    record->has_overlap = below(2);
    record->time = random_value();
    for (size_t j = 0; j < experiment->n_counters; j++)
        *hpm_experiment_value(experiment, i, j) = random_value();
}

static void
add_random_calibration(struct hpm_experiment *experiment)
{
    struct hpm_calibrated *calibrated =
        hpm_experiment_add_calibration(experiment, experiment->n_counters + 1);

    calibrated->scope = (enum hpm_scope)below(2);
    calibrated->when = below(2) ? "init" : "end";
    calibrated->n_calls = below(100);
    for (size_t i = 0; i < calibrated->n_costs; i++) {
        struct hpm_calibrated_cost *cost = &calibrated->costs[i];

        cost->counter = i == 0 ? HPM_NO_COUNTER : i - 1;
        for (int j = 0; j < 3; j++) {
            cost->self[j] = below(2000) - 1000;
            cost->pair[j] = below(2000) - 1000;
        }
        cost->start = below(100);
    }
}

static struct hpm_experiment *
random_experiment(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_run *run = &experiment->run;
    struct hpm_machine *machine = &experiment->machine;
    int n_records = below(12);

    run->task = below(100000);
    random_text(&run->program);
    random_text(&run->job);
    run->pid = below(100000);
    hpm_experiment_set_text(&run->start, "2026-11-20T11:30:00.123Z");
    run->ns = random_count();
    run->is_complete = below(2);
    if (!run->is_complete)
        random_text(&run->reason);
    random_text(&run->exit_status);
    *hpm_experiment_add_resource(experiment) = (struct hpm_resource){
        "ru::utime", "user time", "ns", random_count(), below(2)};
    random_text(&machine->host);
    machine->n_cpus = below(8);
    machine->n_allowed = below(8);
    machine->mhz = (double)below(4000) / 3.0;
    machine->is_virtual = below(2);
    hpm_experiment_set_text(&machine->facts, below(2) ? "L2 no-L3" : "VM");
    add_random_counters(experiment);
    add_random_calibration(experiment);
    if (below(2)) {
        struct hpm_problem *problem = hpm_experiment_add_problem(experiment);

        random_text(&problem->text);
        problem->count = random_count();
    }
    for (int i = 0; i < n_records; i++)
        add_random_record(experiment);
    return experiment;
}

/* ---- through files --------------------------------------------------- */

/* Metrics of all kinds: with limits, without a value, in part. */
static const char definitions[] =
    "ratio RATE = Count / time::wall unit \"1/s\" sbad < 1 dgood > 5.5\n"
    "ratio NONE = Count / (Count - Count)\n"
    "compose PART = Count + MISSING\n";

/* What the recorder's writer makes of it; for the caller to free. */
static char *
written_by_recorder(const struct hpm_experiment *experiment, size_t *ret_size)
{
    const struct hpm_platform platform = {.pmu = NULL};
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_metrics *metrics;
    struct hpm_derived *derived;
    char folder[] = "/tmp/hpm-test-XXXXXX", path[64];
    struct hpm_destination destination;
    struct hpm_output *output;
    char *kept = NULL, *bytes = NULL;
    FILE *file;

    if (mkdtemp(folder) == NULL)
        exit(99);
    snprintf(path, sizeof path, "%s/x", folder);
    if (!hpm_destination_fix(&destination, path, NULL))
        exit(99);
    hpm_spec_read(spec, "test.hpm", definitions, strlen(definitions), 1, NULL,
                  NULL, NULL);
    metrics = hpm_metrics_new(spec, &platform, NULL);
    derived = hpm_derived_new(metrics, experiment, false, NULL);
    output = hpm_output_open(&destination, NULL);
    if (!hpm_writer_write(experiment, derived, output, NULL) ||
        !hpm_output_commit(output, false, &kept, NULL))
        exit(99);
    hpm_derived_free(derived);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    file = fopen(path, "r");
    bytes = malloc(1 << 20);
    *ret_size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    unlink(path);
    rmdir(folder);
    hpm_memory_free(kept);
    hpm_destination_clear(&destination);
    return bytes;
}

static int
open_bytes(const char *bytes, size_t size)
{
    int fd = memfd_create("test", MFD_CLOEXEC);

    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size ||
        lseek(fd, 0, SEEK_SET) != 0)
        exit(99);
    return fd;
}

static struct hpm_study *
read_bytes(const char *bytes, size_t size, struct hpm_reader_report *report,
           struct hpm_error *err)
{
    int fd = open_bytes(bytes, size);
    struct hpm_study *study = hpm_reader_read_open(fd, "x", 0, report, err);

    close(fd);
    return study;
}

static bool
comes_back(const char *bytes, size_t size)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};
    struct hpm_study *study = read_bytes(bytes, size, &report, &err);
    struct hpm_string again = {0};
    bool is_same = false;

    if (study != NULL) {
        hpm_studyfile_print(study, &again);
        is_same = again.length == size && memcmp(again.text, bytes, size) == 0;
    }
    if (!is_same || report.notes.n > 0 || report.n_unknown > 0) {
        printf("# %s%s\n", err.text, hpm_string_text(&report.notes.lines));
        is_same = false;
    }
    hpm_string_free(&again);
    hpm_notes_free(&report.notes);
    hpm_study_free(study);
    return is_same;
}

static void
test_coming_back(void)
{
    bool is_same = true;

    for (int i = 0; i < 500 && is_same; i++) {
        struct hpm_experiment *experiment = random_experiment();
        size_t size;
        char *bytes = written_by_recorder(experiment, &size);

        is_same = comes_back(bytes, size);
        if (!is_same)
            printf("# experiment %d:\n# %.*s\n", i, (int)size, bytes);
        free(bytes);
        hpm_experiment_free(experiment);
    }
    ok(is_same, "what the recorder writes comes back byte for byte");
}

/* ---- damage ---------------------------------------------------------- */

/* Always the same, with some of everything. */
static char *
one_file(size_t *ret_size)
{
    struct hpm_experiment *experiment;
    char *bytes;

    random_state = 3;
    experiment = random_experiment();
    while (experiment->n_records < 4 || experiment->n_counters < 2) {
        hpm_experiment_free(experiment);
        experiment = random_experiment();
    }
    bytes = written_by_recorder(experiment, ret_size);
    hpm_experiment_free(experiment);
    return bytes;
}

static size_t
count_records(const char *bytes, size_t size)
{
    static const char end[] = "</InstrumentationPt>";
    const char *c = bytes, *last = bytes + size;
    size_t n = 0;

    while ((c = memmem(c, (size_t)(last - c), end, sizeof end - 1)) != NULL) {
        c += sizeof end - 1;
        n++;
    }
    return n;
}

/* Of the first `size` bytes: all whole records, marked incomplete, or nothing
 * and a reason. */
static bool
is_cut_right(const char *bytes, size_t size)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};
    struct hpm_study *study = read_bytes(bytes, size, &report, &err);
    size_t n = count_records(bytes, size);
    bool is_right;

    if (study == NULL)
        is_right = n == 0 && strncmp(err.text, "x:", 2) == 0;
    else
        is_right = n > 0 && study->n_rows == n && report.is_cut &&
                   report.notes.n > 0 &&
                   study->tasks[0].is_complete == HPM_NO &&
                   study->tasks[0].reason != NULL;
    hpm_notes_free(&report.notes);
    hpm_study_free(study);
    return is_right;
}

static void
test_cuts(void)
{
    size_t size, n_wrong = 0;
    char *bytes = one_file(&size);

    /* without its last newline the file is whole */
    for (size_t i = 0; i + 1 < size; i++)
        n_wrong += !is_cut_right(bytes, i);
    is_count(n_wrong, 0, "cut at any byte, the whole records are kept");
    free(bytes);
}

/* Change some bytes; whatever comes, the reader says something or nothing,
 * and what it understood can be written and read again. */
static bool
survives(const char *bytes, size_t size)
{
    struct hpm_reader_report report = {0}, second = {0};
    struct hpm_error err = {""};
    struct hpm_study *study = read_bytes(bytes, size, &report, &err);
    struct hpm_study *again = NULL;
    struct hpm_string text = {0};
    bool is_good = study != NULL || err.text[0] != '\0';

    if (study != NULL) {
        hpm_studyfile_print(study, &text);
        again = read_bytes(text.text, text.length, &second, &err);
        is_good = again != NULL && second.n_unknown == 0 &&
                  again->n_rows == study->n_rows;
        if (!is_good)
            printf("# %s %s\n# %.*s\n", err.text,
                   hpm_string_text(&second.notes.lines), (int)size, bytes);
    }
    hpm_string_free(&text);
    hpm_notes_free(&report.notes);
    hpm_notes_free(&second.notes);
    hpm_study_free(study);
    hpm_study_free(again);
    return is_good;
}

/* Put another piece of the file, a word of XML or a byte somewhere. */
static size_t
mutate(char *bytes, size_t size)
{
    static const char *const words[] = {
        "\"",    "<",         "/>",
        "&#0;",  "&lt;",      "<!DOCTYPE",
        "\\x00", "-1",        "99999999999999999999",
        "<data", " id=\"1\"", "]]>",
        "<?a?>"};
    size_t at = next_random() % size, from, n;

    switch (below(4)) {
    case 0:
        bytes[at] = (char)below(256);
        break;
    case 1:
        n = strlen(words[below(13)]);
        if (at + n < size)
            memcpy(bytes + at, words[below(13)], 1);
        break;
    case 2:
        from = next_random() % size;
        n = next_random() % 60;
        if (at + n < size && from + n < size)
            memmove(bytes + at, bytes + from, n);
        break;
    default:
        n = next_random() % 30;
        if (at + n < size) {
            memmove(bytes + at, bytes + at + n, size - at - n);
            size -= n;
        }
    }
    return size;
}

static bool
survives_mutations(const char *bytes, size_t size, int n)
{
    char *copy = malloc(size);
    bool is_good = true;

    for (int i = 0; i < n && is_good; i++) {
        size_t length = size;

        memcpy(copy, bytes, size);
        for (int j = below(4); j >= 0; j--)
            length = mutate(copy, length);
        is_good = survives(copy, length);
    }
    free(copy);
    return is_good;
}

static void
test_mutations(void)
{
    size_t size;
    char *bytes = one_file(&size);

    ok(survives_mutations(bytes, size, 10000),
       "10,000 damaged files are read or refused");
    free(bytes);
}

/* The same over other files, for so long; the seed is said, so that what was
 * found can be found again. */
static int
fuzz(long seconds, uint64_t seed)
{
    time_t end = time(NULL) + seconds;
    bool is_good = true;
    long n = 0;

    printf("# seed %llu\n", (unsigned long long)seed);
    random_state = seed;
    while (is_good && time(NULL) < end) {
        struct hpm_experiment *experiment = random_experiment();
        size_t size;
        char *bytes = written_by_recorder(experiment, &size);

        is_good = survives_mutations(bytes, size, 1000);
        n += 1000;
        hpm_experiment_free(experiment);
        free(bytes);
    }
    printf("# %ld files\n", n);
    ok(is_good, "damaged files are read or refused");
    return done();
}

/* ---- memory ---------------------------------------------------------- */

static void
test_no_memory(void)
{
    size_t size;
    char *bytes = one_file(&size);
    bool is_right = true, is_read = false;
    unsigned long k;

    for (k = 1; k < 100000 && !is_read && is_right; k++) {
        struct hpm_reader_report report = {0};
        struct hpm_error err = {""};
        struct hpm_study *study;

        hpm_memory_fail_at(k, true);
        study = read_bytes(bytes, size, &report, &err);
        hpm_memory_fail_at(0, false);
        is_read = study != NULL;
        is_right = is_read || strstr(err.text, "memory") != NULL;
        hpm_notes_free(&report.notes);
        hpm_study_free(study);
    }
    ok(is_read && k > 3, "every allocation has failed");
    ok(is_right, "without memory the file is refused, and it is said");
    free(bytes);
}

static void
test_memory_bound(void)
{
    size_t size;
    char *bytes = one_file(&size);
    int fd = open_bytes(bytes, size);
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};

    ok(hpm_reader_read_open(fd, "x", 20000, &report, &err) == NULL &&
           strstr(err.text, "--max-memory") != NULL,
       "past the memory allowed the file is refused, and it is said");
    close(fd);
    hpm_notes_free(&report.notes);
    free(bytes);
}

/* ---- a file that changes --------------------------------------------- */

static void
test_no_descriptor(void)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};

    ok(hpm_reader_read_open(-1, "x", 0, &report, &err) == NULL &&
           strstr(err.text, "x: cannot be read") != NULL,
       "what cannot be read is said");
    ok(hpm_reader_read("/nonexistent/x", 0, &report, &err) == NULL &&
           strstr(err.text, "/nonexistent/x: cannot be opened") != NULL,
       "what cannot be opened is said");
    hpm_notes_free(&report.notes);
}

/* Without arguments the tests; "fuzz SECONDS [SEED]" looks for more. */
int
main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "fuzz") == 0)
        return fuzz(atol(argv[2]), argc > 3 ? strtoull(argv[3], NULL, 10)
                                            : (uint64_t)time(NULL));
    test_coming_back();
    test_cuts();
    test_mutations();
    test_no_memory();
    test_memory_bound();
    test_no_descriptor();
    return done();
}
