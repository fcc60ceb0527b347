/* SPDX-License-Identifier: BSD-3-Clause
 * What a performance file says of the sections "measured", and what measuring
 * was calibrated to cost. */
#include "hpm/calls.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void
calls_clear(struct calls *calls)
{
    for (size_t i = 0; i < calls->n_measures; i++) {
        hpm_memory_free(calls->measures[i].name);
        hpm_memory_free(calls->measures[i].unit);
        hpm_memory_free(calls->measures[i].read);
        hpm_memory_free(calls->measures[i].left);
    }
    for (size_t i = 0; i < calls->n_costs; i++)
        hpm_memory_free(calls->costs[i].name);
    hpm_memory_free(calls->measures);
    hpm_memory_free(calls->costs);
    *calls = (struct calls){0};
}

const struct measure *
calls_find(const struct calls *calls, const char *name)
{
    for (size_t i = 0; i < calls->n_measures; i++) {
        if (strcmp(calls->measures[i].name, name) == 0)
            return &calls->measures[i];
    }
    return NULL;
}

/* ---- one line of the file -------------------------------------------- */

static bool
is_element(const char *line, const char *start)
{
    return strncmp(line + strspn(line, " "), start, strlen(start)) == 0;
}

/* The attribute's text, which may be cut; false when it is not there. */
static bool
get_text(const char *line, const char *name, char *ret_text, size_t size)
{
    char start[32];
    const char *text;

    snprintf(start, sizeof start, " %s=\"", name);
    text = strstr(line, start);
    if (text == NULL)
        return false;
    text += strlen(start);
    snprintf(ret_text, size, "%.*s", (int)strcspn(text, "\""), text);
    return true;
}

/* A count; of seconds, the nanoseconds. */
static bool
get_amount(const char *line, const char *name, bool is_seconds,
           int64_t *ret_amount)
{
    char text[64];

    if (!get_text(line, name, text, sizeof text))
        return false;
    *ret_amount = is_seconds ? llround(strtod(text, NULL) * 1e9)
                             : strtoll(text, NULL, 10);
    return true;
}

/* The name of a datum or a cost, as it is shown. */
static bool
get_name(const char *line, char *ret_name, size_t size, bool *ret_is_time)
{
    if (!get_text(line, "name", ret_name, size))
        return false;
    *ret_is_time = strcmp(ret_name, "IncSec") == 0;
    if (*ret_is_time)
        snprintf(ret_name, size, "time");
    return true;
}

/* ---- values ---------------------------------------------------------- */

static struct measure *
find_measure(struct calls *calls, const char *name, const char *unit)
{
    struct measure *measure = (struct measure *)calls_find(calls, name);

    if (measure != NULL)
        return measure;
    if (!hpm_memory_grow(&calls->measures, &calls->measures_capacity,
                         calls->n_measures + 1, sizeof *calls->measures))
        return NULL;
    measure = &calls->measures[calls->n_measures++];
    *measure = (struct measure){.name = hpm_memory_copy_text(name),
                                .unit = hpm_memory_copy_text(unit)};
    return measure->name != NULL && measure->unit != NULL ? measure : NULL;
}

static bool
add_section(struct measure *measure, int64_t left, int64_t overhead)
{
    size_t n = measure->n_sections;

    if (!hpm_memory_grow(&measure->read, &measure->read_capacity, n + 1,
                         sizeof *measure->read) ||
        !hpm_memory_grow(&measure->left, &measure->left_capacity, n + 1,
                         sizeof *measure->left))
        return false;
    measure->read[n] = (uint64_t)(left + overhead);
    measure->left[n] = (uint64_t)left;
    measure->n_sections++;
    return true;
}

/* One datum of a section with that many calls.  False when there is no
 * memory. */
static bool
take_datum(struct calls *calls, const char *line, uint64_t n_calls)
{
    char name[256], unit[32] = "", text[64];
    int64_t value, overhead = 0;
    struct measure *measure;
    bool is_time, is_hidden;

    is_hidden = strstr(line, " disp=\"false\"") != NULL;
    if (is_hidden || !get_name(line, name, sizeof name, &is_time) ||
        strcmp(name, "ExcSec") == 0 ||
        !get_amount(line, "value", is_time, &value))
        return true;
    if (!is_time)
        get_text(line, "unit", unit, sizeof unit);
    measure = find_measure(calls, name, is_time ? "ns" : unit);
    if (measure == NULL)
        return false;
    measure->is_shared |= get_text(line, "share", text, sizeof text);
    if (measure->is_shared)
        return true;
    measure->is_corrected |= get_amount(line, "overhead", is_time, &overhead);
    measure->deviation = NAN;
    if (get_text(line, "sdev", text, sizeof text))
        measure->deviation = strtod(text, NULL) * (is_time ? 1e9 : 1);
    measure->n_calls += n_calls;
    return add_section(measure, value, overhead);
}

/* ---- costs ----------------------------------------------------------- */

/* `calibration` has what the lines below it have in common. */
static bool
take_cost(struct calls *calls, const char *line, const struct cost *calibration)
{
    static const char *const selves[] = {"self", "self_median", "self_max"};
    static const char *const pairs[] = {"pair", "pair_median", "pair_max"};
    struct cost cost = *calibration;
    char name[256];
    bool is_time;

    if (!get_name(line, name, sizeof name, &is_time))
        return true;
    for (int i = 0; i < 3; i++) {
        if (!get_amount(line, selves[i], is_time, &cost.self[i]) ||
            !get_amount(line, pairs[i], is_time, &cost.pair[i]))
            return true;
    }
    if (!hpm_memory_grow(&calls->costs, &calls->costs_capacity,
                         calls->n_costs + 1, sizeof *calls->costs))
        return false;
    cost.name = hpm_memory_copy_text(name);
    calls->costs[calls->n_costs++] = cost;
    return cost.name != NULL;
}

static void
begin_calibration(struct cost *calibration, const char *line)
{
    int64_t n_calls = 0;

    *calibration = (struct cost){.name = NULL};
    get_text(line, "scope", calibration->scope, sizeof calibration->scope);
    get_text(line, "when", calibration->when, sizeof calibration->when);
    get_amount(line, "calls", false, &n_calls);
    calibration->n_calls = (uint64_t)n_calls;
}

/* ---- the file -------------------------------------------------------- */

/* What the next lines belong to. */
struct reading {
    struct calls *calls;
    struct cost calibration;
    bool is_measured; /* else another section */
    uint64_t n_calls;
};

/* False when there is no memory. */
static bool
take_line(struct reading *reading, const char *line)
{
    int64_t n_calls;

    if (is_element(line, "<Calibration "))
        begin_calibration(&reading->calibration, line);
    else if (is_element(line, "<cost "))
        return take_cost(reading->calls, line, &reading->calibration);
    else if (is_element(line, "<InstrumentationPt "))
        reading->is_measured = strstr(line, " label=\"measured\"") != NULL;
    else if (!reading->is_measured)
        return true;
    else if (is_element(line, "<data name=\"Count\"") &&
             get_amount(line, "value", false, &n_calls))
        reading->n_calls = (uint64_t)n_calls;
    else if (is_element(line, "<data ") &&
             strstr(line, " kind=\"metric\"") == NULL)
        return take_datum(reading->calls, line, reading->n_calls);
    return true;
}

static bool
take_lines(struct calls *calls, FILE *file)
{
    struct reading reading = {.calls = calls};
    char *line = NULL;
    size_t size = 0;
    bool is_good = true;

    while (is_good && getline(&line, &size, file) > 0)
        is_good = take_line(&reading, line);
    free(line);
    return is_good;
}

bool
calls_read(struct calls *calls, const char *path, struct hpm_error *err)
{
    FILE *file = fopen(path, "re");
    bool is_good;

    if (file == NULL)
        return hpm_error_set(err, "cannot read '%s': %s", path,
                             strerror(errno));
    is_good = take_lines(calls, file);
    fclose(file);
    if (!is_good)
        return hpm_error_no_memory(err);
    if (calls->n_measures == 0)
        return hpm_error_set(err, "'%s' has no section \"measured\"", path);
    return true;
}
