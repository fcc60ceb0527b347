/* SPDX-License-Identifier: BSD-3-Clause
 * The reader: it reads what was written, and no bytes do harm. */
#include "config.h"

#include "study/file/reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/sample.h"
#include "host/memory.h"
#include "study/file/studyfile.h"
#include "tap.h"

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

/* Always the same file, with some of everything. */
static char *
one_file(size_t *ret_size)
{
    struct hpm_experiment *experiment;
    char *bytes;

    begin_random(3);
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

/* Read the first `size` bytes: the result is all complete records, marked
 * incomplete, or a reason. */
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

enum { N_LONG = 500 };

/* Tasks whose first element has a different kind each time their number
 * doubles, which is when memory grows. */
static void
add_tasks(struct hpm_string *string)
{
    static const char *const kinds[] = {"Run", "Machine", "Counters",
                                        "Calibration", "Problem"};

    for (int i = 1; i < N_LONG; i++) {
        int kind = 0;

        for (int rest = i; rest > 1; rest /= 2)
            kind++;
        hpm_string_add_format(string, "<%s task=\"%d\"/>", kinds[kind % 5], i);
    }
}

/* Lists so long that each has allocations of its own. */
static void
make_long_lists(struct hpm_string *string)
{
    hpm_string_add(string, "<HPMPerformanceFile version=\"1\" kind=\"merged\">"
                           "<Run task=\"0\" program=\"p\">");
    for (int i = 0; i < N_LONG; i++)
        hpm_string_add_format(string, "<Resource name=\"r%d\" value=\"1\"/>",
                              i);
    hpm_string_add(string, "</Run><Counters task=\"0\">");
    for (int i = 0; i < N_LONG; i++)
        hpm_string_add_format(string, "<Counter name=\"c%d\" unit=\"%d\"/>", i,
                              i);
    hpm_string_add(string, "</Counters>");
    for (int i = 0; i < N_LONG; i++)
        hpm_string_add(string, "<Calibration task=\"0\" calls=\"1\"/>");
    hpm_string_add(string, "<Calibration task=\"0\" calls=\"1\">");
    for (int i = 0; i < N_LONG; i++)
        hpm_string_add_format(string, "<cost name=\"c%d\"/>", i);
    hpm_string_add(string, "</Calibration>");
    for (int i = 0; i < N_LONG; i++)
        hpm_string_add_format(string, "<Problem count=\"1\" text=\"p%d\"/>", i);
    add_tasks(string);
    hpm_string_add(string, "<InstrumentationPt tid=\"0\" task=\"0\" "
                           "label=\"a\" inst=\"1\" id=\"1\">");
    for (int i = 0; i < N_LONG; i++)
        hpm_string_add_format(string,
                              "<data name=\"c%d\" value=\"%d\" "
                              "kind=\"counter\"/>",
                              i, i);
    hpm_string_add(string, "</InstrumentationPt></HPMPerformanceFile>");
}

/* Read a file while the k-th allocation fails, and only that one: the text is
 * empty if the file is refused for lack of memory. */
static bool
read_failing(const struct hpm_string *file, unsigned long k,
             struct hpm_string *ret_text)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};
    struct hpm_study *study;

    hpm_memory_fail_at(k, false);
    study = read_bytes(file->text, file->length, &report, &err);
    hpm_memory_fail_at(0, false);
    hpm_string_clear(ret_text);
    if (study != NULL)
        hpm_studyfile_print(study, ret_text);
    hpm_notes_free(&report.notes);
    hpm_study_free(study);
    return study != NULL || strstr(err.text, "memory") != NULL;
}

static void
test_memory_once(void)
{
    struct hpm_string file = {0}, whole = {0}, text = {0};
    bool is_right, is_read = false;
    unsigned long k;

    make_long_lists(&file);
    is_right = read_failing(&file, 0, &whole) && whole.length > file.length / 2;
    for (k = 1; k < 1000000 && is_right && !is_read; k++) {
        is_right = read_failing(&file, k, &text) &&
                   (text.length == 0 || strcmp(hpm_string_text(&text),
                                               hpm_string_text(&whole)) == 0);
        is_read = text.length > 0;
    }
    ok(is_read && k > 20, "each allocation of long lists has failed once");
    ok(is_right, "a list is whole, or the file is refused");
    hpm_string_free(&file);
    hpm_string_free(&whole);
    hpm_string_free(&text);
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

int
main(void)
{
    test_coming_back();
    test_cuts();
    test_no_memory();
    test_memory_once();
    test_memory_bound();
    test_no_descriptor();
    return done();
}
