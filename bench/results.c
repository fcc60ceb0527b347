/* SPDX-License-Identifier: BSD-3-Clause
 * Results: named series with a value per round, and values from a child's
 * performance file. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- series ---------------------------------------------------------- */

enum { MAX_SERIES = 200 };

static struct bench_series all[MAX_SERIES];
static size_t n_all;

const struct bench_series *
bench_results_find(const char *name)
{
    for (size_t i = 0; i < n_all; i++) {
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    }
    return NULL;
}

static struct bench_series *
make_series(const char *name)
{
    struct bench_series *series = &all[n_all];

    if (n_all == MAX_SERIES) {
        fputs("bench: too many series\n", stderr);
        exit(1);
    }
    n_all++;
    snprintf(series->name, sizeof series->name, "%s", name);
    for (int i = 0; i < BENCH_MAX_ROUNDS; i++)
        series->values[i] = NAN;
    return series;
}

void
bench_results_add(const char *name, int round, double value)
{
    struct bench_series *series =
        (struct bench_series *)bench_results_find(name);

    if (series == NULL)
        series = make_series(name);
    series->values[round] = value;
}

/* ---- performance files ----------------------------------------------- */

char *
bench_file_read(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;

    if (file == NULL)
        return NULL;
    if (getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* The text after the next NAME="VALUE" before `end`; NULL for none. */
static const char *
find_attribute(const char *from, const char *end, const char *name,
               const char *value)
{
    char wanted[128];
    const char *found;

    snprintf(wanted, sizeof wanted, " %s=\"%s%s", name, value,
             value[0] != '\0' ? "\"" : "");
    found = strstr(from, wanted);
    return found != NULL && found < end ? found + strlen(wanted) : NULL;
}

static const char *
end_of(const char *from, const char *mark)
{
    const char *end = strstr(from, mark);

    return end != NULL ? end : from + strlen(from);
}

/* The record with this label: the text after the label; NULL for none. */
static const char *
find_record(const char *text, const char *label)
{
    const char *record = text;

    while ((record = strstr(record, "<InstrumentationPt")) != NULL) {
        const char *found =
            find_attribute(record, end_of(record, ">"), "label", label);

        if (found != NULL)
            return found;
        record++;
    }
    return NULL;
}

bool
bench_file_has(const char *text, const char *label)
{
    return find_record(text, label) != NULL;
}

double
bench_file_value(const char *text, const char *label, const char *datum,
                 const char *attribute)
{
    const char *record = find_record(text, label);
    const char *end, *found;

    if (record == NULL)
        return NAN;
    found = find_attribute(record, end_of(record, "</InstrumentationPt"),
                           "name", datum);
    if (found == NULL)
        return NAN;
    end = end_of(found, "/>");
    found = find_attribute(found, end, attribute, "");
    return found != NULL ? strtod(found, NULL) : NAN;
}
