/* SPDX-License-Identifier: BSD-3-Clause
 * The values of the compared commands, run by run. */
#include "study/compare/samples.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "host/memory.h"

struct hpm_samples_cell {
    size_t metric, side;
    struct hpm_samples_series series;
};

static void
clear_subject(struct hpm_samples_subject *subject)
{
    for (size_t i = 0; i < subject->n_cells; i++)
        hpm_memory_free(subject->cells[i].series.values);
    hpm_memory_free(subject->cells);
    hpm_memory_free(subject->path);
}

void
hpm_samples_clear(struct hpm_samples *samples)
{
    for (size_t i = 0; i < samples->n_sides; i++)
        hpm_memory_free(samples->sides[i].name);
    for (size_t i = 0; i < samples->n_subjects; i++)
        clear_subject(&samples->subjects[i]);
    for (size_t i = 0; i < samples->n_metrics; i++)
        hpm_memory_free(samples->metrics[i].name);
    hpm_memory_free(samples->sides);
    hpm_memory_free(samples->subjects);
    hpm_memory_free(samples->metrics);
    *samples = (struct hpm_samples){0};
}

/* ---- names ----------------------------------------------------------- */

static char
plain(char c)
{
    return c == '-' ? '_' : (char)toupper((unsigned char)c);
}

bool
hpm_samples_same_metric(const char *a, const char *b)
{
    while (*a != '\0' && plain(*a) == plain(*b))
        a++, b++;
    return *a == *b;
}

bool
hpm_samples_is_scheduling(const char *metric)
{
    static const char *const names[] = {"context-switches", "cs",
                                        "cpu-migrations", "migrations"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (hpm_samples_same_metric(metric, names[i]))
            return true;
    }
    return false;
}

bool
hpm_samples_is_drawn(const char *metric)
{
    return strncmp(metric, "SAMPLED ", strlen("SAMPLED ")) == 0;
}

/* ---- lists ----------------------------------------------------------- */

size_t
hpm_samples_add_side(struct hpm_samples *samples, const char *name)
{
    char *copy = hpm_memory_copy_text(name);

    if (copy == NULL ||
        !hpm_memory_grow(&samples->sides, &samples->sides_capacity,
                         samples->n_sides + 1, sizeof *samples->sides)) {
        hpm_memory_free(copy);
        samples->failed = true;
        return 0;
    }
    samples->sides[samples->n_sides].name = copy;
    return samples->n_sides++;
}

size_t
hpm_samples_add_subject(struct hpm_samples *samples, const char *path)
{
    char *copy;

    for (size_t i = 0; i < samples->n_subjects; i++) {
        if (strcmp(samples->subjects[i].path, path) == 0)
            return i;
    }
    copy = hpm_memory_copy_text(path);
    if (copy == NULL ||
        !hpm_memory_grow(&samples->subjects, &samples->subjects_capacity,
                         samples->n_subjects + 1, sizeof *samples->subjects)) {
        hpm_memory_free(copy);
        samples->failed = true;
        return 0;
    }
    samples->subjects[samples->n_subjects] =
        (struct hpm_samples_subject){.path = copy};
    return samples->n_subjects++;
}

size_t
hpm_samples_find_metric(const struct hpm_samples *samples, const char *name)
{
    size_t i = 0;

    while (i < samples->n_metrics &&
           strcmp(samples->metrics[i].name, name) != 0)
        i++;
    return i;
}

size_t
hpm_samples_add_metric(struct hpm_samples *samples, const char *name,
                       enum hpm_samples_kind kind)
{
    size_t place = hpm_samples_find_metric(samples, name);
    char *copy;

    if (place < samples->n_metrics)
        return place;
    copy = hpm_memory_copy_text(name);
    if (copy == NULL ||
        !hpm_memory_grow(&samples->metrics, &samples->metrics_capacity,
                         samples->n_metrics + 1, sizeof *samples->metrics)) {
        hpm_memory_free(copy);
        samples->failed = true;
        return 0;
    }
    samples->metrics[samples->n_metrics] =
        (struct hpm_samples_metric){.name = copy, .kind = kind};
    return samples->n_metrics++;
}

/* ---- values ---------------------------------------------------------- */

static struct hpm_samples_cell *
find_cell(const struct hpm_samples_subject *subject, size_t metric, size_t side)
{
    for (size_t i = 0; i < subject->n_cells; i++) {
        struct hpm_samples_cell *cell = &subject->cells[i];

        if (cell->metric == metric && cell->side == side)
            return cell;
    }
    return NULL;
}

static struct hpm_samples_cell *
add_cell(struct hpm_samples_subject *subject, size_t metric, size_t side)
{
    struct hpm_samples_cell *cell = find_cell(subject, metric, side);

    if (cell != NULL)
        return cell;
    if (!hpm_memory_grow(&subject->cells, &subject->cells_capacity,
                         subject->n_cells + 1, sizeof *subject->cells))
        return NULL;
    cell = &subject->cells[subject->n_cells++];
    *cell = (struct hpm_samples_cell){.metric = metric, .side = side};
    return cell;
}

void
hpm_samples_set(struct hpm_samples *samples, size_t subject, size_t metric,
                size_t side, size_t run, double value)
{
    struct hpm_samples_cell *cell;
    struct hpm_samples_series *series;

    if (samples->failed)
        return;
    cell = add_cell(&samples->subjects[subject], metric, side);
    series = cell != NULL ? &cell->series : NULL;
    if (series == NULL || !hpm_memory_grow(&series->values, &series->capacity,
                                           run + 1, sizeof *series->values)) {
        samples->failed = true;
        return;
    }
    while (series->n <= run)
        series->values[series->n++] = NAN;
    series->values[run] = value;
    if (samples->sides[side].n_runs <= run)
        samples->sides[side].n_runs = run + 1;
}

const struct hpm_samples_series *
hpm_samples_get(const struct hpm_samples *samples, size_t subject,
                size_t metric, size_t side)
{
    const struct hpm_samples_cell *cell =
        find_cell(&samples->subjects[subject], metric, side);

    return cell != NULL ? &cell->series : NULL;
}

double
hpm_samples_value(const struct hpm_samples_series *series, size_t run)
{
    return series != NULL && run < series->n ? series->values[run] : NAN;
}
