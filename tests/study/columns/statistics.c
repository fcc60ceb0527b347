/* SPDX-License-Identifier: BSD-3-Clause
 * Means and deviations where arithmetic may fail: few runs, equal ones, large
 * numbers with small differences, missing values. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "study/columns/mean.h"
#include "study/file/reader.h"
#include "study/file/studyfile.h"
#include "tap.h"

enum { MOST_RUNS = 16 };

/* A run with one section whose cycles have these attributes. */
static struct hpm_study *
make_run(const char *attributes)
{
    struct hpm_reader_report report = {0};
    struct hpm_study *study;
    int fd = memfd_create("run", MFD_CLOEXEC);

    dprintf(fd,
            "<HPMPerformanceFile version=\"1\" kind=\"run\" complete=\"yes\">"
            "<Run task=\"0\" program=\"swim\"/>"
            "<InstrumentationPt label=\"a\" task=\"0\" tid=\"0\" id=\"1\">"
            "<data name=\"Count\" value=\"1\" kind=\"counter\"/>"
            "<data name=\"cycles\" kind=\"counter\" %s/>"
            "</InstrumentationPt><End records=\"1\"/></HPMPerformanceFile>",
            attributes);
    lseek(fd, 0, SEEK_SET);
    study = hpm_reader_read_open(fd, "run", 0, &report, NULL);
    close(fd);
    if (study == NULL || report.notes.n > 0)
        exit(99);
    return study;
}

/* The mean of runs with these attributes; the caller frees it. */
static struct hpm_study *
mean_of(const char *const *attributes, size_t n)
{
    const struct hpm_mean_options options = {0};
    struct hpm_study *runs[MOST_RUNS] = {NULL};
    struct hpm_error err = {""};
    struct hpm_study *mean;

    for (size_t i = 0; i < n; i++)
        runs[i] = make_run(attributes[i]);
    mean = hpm_mean((const struct hpm_study *const *)runs, n, &options, &err);
    if (mean == NULL)
        printf("# %s\n", err.text);
    for (size_t i = 0; i < n; i++)
        hpm_study_free(runs[i]);
    return mean;
}

static struct hpm_datum
cycles_of(const struct hpm_study *study)
{
    struct hpm_datum datum = {0};

    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (strcmp(study->columns[i].name, "cycles") == 0)
            hpm_study_get_datum(study, 0, i, &datum);
    }
    return datum;
}

static struct hpm_datum
cycles_of_mean(const char *const *attributes, size_t n)
{
    struct hpm_study *mean = mean_of(attributes, n);
    struct hpm_datum datum = cycles_of(mean);

    datum.reason = NULL; /* it belongs to the study */
    hpm_study_free(mean);
    return datum;
}

static bool
is_real(struct hpm_number number, double expected, double tolerance)
{
    double got = hpm_number_to_real(number);
    bool is_right = fabs(got - expected) <= tolerance * fabs(expected);

    if (!is_right)
        printf("# got %.17g, expected %.17g\n", got, expected);
    return is_right;
}

#define MEAN(...)                                                              \
    cycles_of_mean((const char *const[]){__VA_ARGS__},                         \
                   sizeof((const char *const[]){__VA_ARGS__}) /                \
                       sizeof(const char *))

/* ---- the cases ------------------------------------------------------- */

static void
test_few(void)
{
    struct hpm_datum datum = MEAN("value=\"7\"");

    ok(datum.numbers[HPM_FIELD_VALUE].amount == 7 &&
           datum.numbers[HPM_FIELD_DEV].kind == HPM_NUMBER_NONE,
       "one run has a mean and no deviation");
    datum = MEAN("value=\"7\"", "value=\"9\"");
    ok(is_real(datum.numbers[HPM_FIELD_VALUE], 8, 0) &&
           is_real(datum.numbers[HPM_FIELD_DEV], sqrt(2), 1e-15),
       "two runs have both");
    datum = MEAN("value=\"1\"", "value=\"1\"", "value=\"1\"", "value=\"1001\"");
    ok(is_real(datum.numbers[HPM_FIELD_VALUE], 251, 0) &&
           is_real(datum.numbers[HPM_FIELD_DEV], 500, 1e-15) &&
           is_real(datum.numbers[HPM_FIELD_MIN], 1, 0) &&
           is_real(datum.numbers[HPM_FIELD_MAX], 1001, 0),
       "a run far off shows in the deviation and the largest");
}

/* The naive sum of squares gives 77,008 for the deviation here. */
static void
test_cancellation(void)
{
    struct hpm_datum datum =
        MEAN("value=\"999999999.5\"", "value=\"1000000000.5\"",
             "value=\"999999999.5\"", "value=\"1000000000.5\"",
             "value=\"999999999.5\"", "value=\"1000000000.5\"");

    ok(is_real(datum.numbers[HPM_FIELD_VALUE], 1e9, 0) &&
           is_real(datum.numbers[HPM_FIELD_DEV], sqrt(0.3), 1e-12),
       "large numbers that differ little have their deviation");
    datum = MEAN("value=\"18446744073709551615\"",
                 "value=\"18446744073709551613\"");
    ok(datum.numbers[HPM_FIELD_VALUE].kind == HPM_NUMBER_COUNT &&
           datum.numbers[HPM_FIELD_VALUE].amount == UINT64_MAX - 1 &&
           is_real(datum.numbers[HPM_FIELD_DEV], sqrt(2), 1e-12),
       "so have the largest counts, whose sum is beyond 64 bits");
}

static void
test_missing(void)
{
    static const char *const none[] = {"state=\"unscheduled\" reason=\"r\"",
                                       "state=\"unscheduled\" reason=\"r\""};
    struct hpm_datum datum =
        MEAN("value=\"10\"", none[0], "value=\"20\"", none[0]);

    ok(is_real(datum.numbers[HPM_FIELD_VALUE], 15, 0) &&
           is_real(datum.numbers[HPM_FIELD_RUNS], 2, 0) &&
           is_real(datum.numbers[HPM_FIELD_MIN], 10, 0),
       "runs without the value are not runs with 0");
    datum = cycles_of_mean(none, 2);
    ok(datum.numbers[HPM_FIELD_VALUE].kind == HPM_NUMBER_NONE &&
           datum.state == HPM_STATE_UNSCHEDULED,
       "without any value there is no mean, and its state says why");
}

/* The sum of these values depends on the order: results must be equal to the
 * last bit. */
static void
test_order(void)
{
    const char *values[] = {"value=\"1e16\"", "value=\"1.1\"",
                            "value=\"-1e16\"", "value=\"3.3\"",
                            "value=\"1e-7\""};
    struct hpm_datum first = cycles_of_mean(values, 5), datum;
    bool is_same = true;

    for (int i = 0; i < 100; i++) {
        size_t a = (size_t)i % 5, b = (size_t)(i * 7 + i / 5) % 5;
        const char *swapped = values[a];

        values[a] = values[b];
        values[b] = swapped;
        datum = cycles_of_mean(values, 5);
        is_same =
            is_same &&
            memcmp(&datum.numbers[HPM_FIELD_VALUE].real,
                   &first.numbers[HPM_FIELD_VALUE].real, sizeof(double)) == 0 &&
            memcmp(&datum.numbers[HPM_FIELD_DEV].real,
                   &first.numbers[HPM_FIELD_DEV].real, sizeof(double)) == 0;
    }
    ok(is_same, "the order of the runs changes no bit");
}

int
main(void)
{
    test_few();
    test_cancellation();
    test_missing();
    test_order();
    return done();
}
