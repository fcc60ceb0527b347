/* SPDX-License-Identifier: BSD-3-Clause
 * Limits of what may change. */
#include "study/compare/gate.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/compare/words.h"

/* Rounding errors to ignore: 1030 / 1000 - 1 is slightly more than 0.03. */
#define ROUNDING 1e-12

/* ---- reading ----------------------------------------------------------- */

static bool
refuse(const char *text, const char *why, struct hpm_error *err)
{
    return hpm_error_set(
        err,
        "hpm compare --fail-if '%.80s': %s; expected such as 'TIME > +3 "
        "%%' or '*@solve: INSTRUCTIONS > +1 %%'",
        text, why);
}

/* A copy of the text from `from` to `end`, without blanks around it. */
static char *
copy_words(const char *from, const char *end)
{
    struct hpm_string copy = {0};
    char *words;

    while (from < end && *from == ' ')
        from++;
    while (end > from && end[-1] == ' ')
        end--;
    hpm_string_add_bytes(&copy, from, (size_t)(end - from));
    words = copy.failed ? NULL : hpm_memory_copy_text(hpm_string_text(&copy));
    hpm_string_free(&copy);
    return words;
}

/* Read "+3 %" or "-0.5%" as a part. */
static bool
read_percent(const char *text, double *ret_part)
{
    char *end;
    double percent = strtod(text, &end);

    if (end == text || !isfinite(percent))
        return false;
    end += strspn(end, " ");
    if (*end != '%')
        return false;
    end++;
    end += strspn(end, " ");
    *ret_part = percent / 100.0;
    return *end == '\0';
}

/* Read the side and the section before the metric; returns where the metric
 * begins. */
static const char *
read_place(const char *text, const char *sign, struct hpm_gate_limit *limit)
{
    const char *colon = strstr(text, ": "), *at;

    if (colon == NULL || colon > sign)
        return text;
    at = memchr(text, '@', (size_t)(colon - text));
    if (at != NULL)
        limit->side = copy_words(text, at);
    limit->section = copy_words(at != NULL ? at + 1 : text, colon);
    return colon + 2;
}

static bool
read_limit(const char *text, struct hpm_gate_limit *limit,
           struct hpm_error *err)
{
    const char *sign = text + strcspn(text, "<>"), *metric;

    *limit = (struct hpm_gate_limit){.text = text, .is_above = *sign == '>'};
    if (*sign == '\0')
        return refuse(text, "there is no '>' or '<'", err);
    if (!read_percent(sign + 1, &limit->part))
        return refuse(text, "what follows the sign is no number of per cent",
                      err);
    if (limit->part <= -1.0)
        return refuse(text, "nothing can fall by 100 % or more", err);
    metric = read_place(text, sign, limit);
    limit->metric = copy_words(metric, sign);
    if (limit->metric == NULL)
        return hpm_error_no_memory(err);
    return limit->metric[0] != '\0' || refuse(text, "there is no metric", err);
}

static void
clear(struct hpm_gate_limit *limit)
{
    hpm_memory_free(limit->side);
    hpm_memory_free(limit->section);
    hpm_memory_free(limit->metric);
}

bool
hpm_gate_add(struct hpm_gate *limits, const char *text, struct hpm_error *err)
{
    struct hpm_gate_limit limit = {0};

    if (read_limit(text, &limit, err)) {
        if (hpm_memory_grow(&limits->all, &limits->capacity, limits->n + 1,
                            sizeof *limits->all)) {
            limits->all[limits->n++] = limit;
            return true;
        }
        hpm_error_no_memory(err);
    }
    clear(&limit);
    return false;
}

void
hpm_gate_clear(struct hpm_gate *limits)
{
    for (size_t i = 0; i < limits->n; i++)
        clear(&limits->all[i]);
    hpm_memory_free(limits->all);
    *limits = (struct hpm_gate){0};
}

/* ---- judging ----------------------------------------------------------- */

static bool
is_side(const char *glob, const struct hpm_samples *samples, size_t side)
{
    char letter[] = {(char)('A' + side), '\0'};

    return glob == NULL || fnmatch(glob, letter, 0) == 0 ||
           fnmatch(glob, samples->sides[side].name, 0) == 0;
}

static bool
is_section(const char *glob, const char *path)
{
    const char *label = strrchr(path, '/');

    if (glob == NULL || path[0] == '\0')
        return glob == NULL && path[0] == '\0';
    return fnmatch(glob, path, 0) == 0 ||
           (label != NULL && fnmatch(glob, label + 1, 0) == 0);
}

static bool
is_beyond(const struct hpm_gate_limit *limit, double ratio)
{
    if (isnan(ratio)) /* the value in a was 0 */
        return limit->is_above;
    return limit->is_above ? ratio - 1.0 > limit->part + ROUNDING
                           : ratio - 1.0 < limit->part - ROUNDING;
}

enum hpm_gate_verdict
hpm_gate_judge(const struct hpm_gate_limit *limit,
               const struct hpm_samples *samples,
               const struct hpm_comparison *comparison)
{
    const char *path = samples->subjects[comparison->subject].path;

    if (!hpm_samples_same_metric(limit->metric,
                                 samples->metrics[comparison->metric].name) ||
        !is_section(limit->section, path) ||
        !is_side(limit->side, samples, comparison->side) ||
        comparison->finding == HPM_FINDING_NONE)
        return HPM_GATE_OTHER;
    if (hpm_finding_is_difference(comparison->finding))
        return is_beyond(limit, comparison->ratio) ? HPM_GATE_CROSSED
                                                   : HPM_GATE_HELD;
    if (comparison->finding == HPM_FINDING_SAME ||
        comparison->seen <= fabs(limit->part))
        return HPM_GATE_HELD;
    return HPM_GATE_BLIND;
}

/* ---- lines ------------------------------------------------------------- */

static void
add_line(struct hpm_string *lines, const struct hpm_gate_limit *limit,
         const struct hpm_samples *samples,
         const struct hpm_comparison *comparison, enum hpm_gate_verdict verdict)
{
    const char *path = samples->subjects[comparison->subject].path;

    hpm_string_add_format(lines, "limit '%s': ", limit->text);
    hpm_string_add(lines, verdict == HPM_GATE_CROSSED ? "CROSSED by "
                          : verdict == HPM_GATE_HELD  ? "held by "
                                                      : "not known of ");
    hpm_string_add_format(lines, "%c", (int)('A' + comparison->side));
    if (path[0] != '\0')
        hpm_string_add_format(lines, " in %s", path);
    if (verdict == HPM_GATE_CROSSED) {
        hpm_string_add(lines, " (");
        hpm_words_add_change(lines, comparison->ratio - 1.0);
        hpm_string_add(lines, ")");
    } else if (verdict == HPM_GATE_BLIND) {
        if (isinf(comparison->seen)) {
            hpm_string_add(lines, ": these runs are too few");
        } else {
            hpm_string_add(lines, ": these runs see no less than ");
            hpm_words_add_part(lines, comparison->seen);
        }
    }
    hpm_string_add_char(lines, '\n');
}

static void
report_limit(const struct hpm_gate_limit *limit,
             const struct hpm_samples *samples,
             const struct hpm_comparisons *comparisons,
             struct hpm_string *lines, size_t *n_crossed)
{
    size_t n_held = 0;

    for (size_t i = 0; i < comparisons->n; i++) {
        const struct hpm_comparison *one = &comparisons->all[i];
        enum hpm_gate_verdict verdict = hpm_gate_judge(limit, samples, one);

        *n_crossed += verdict == HPM_GATE_CROSSED;
        n_held += verdict == HPM_GATE_HELD;
        if (verdict != HPM_GATE_OTHER &&
            (verdict != HPM_GATE_HELD || n_held == 1))
            add_line(lines, limit, samples, one, verdict);
    }
}

/* ---- limits that cannot be judged --------------------------------------- */

static bool
is_about_side(const struct hpm_gate_limit *limit,
              const struct hpm_samples *samples, size_t side)
{
    return side > 0 && is_side(limit->side, samples, side);
}

/* Is the limit about at least one side, and is it judged for each of these? */
static bool
is_judged(const struct hpm_gate_limit *limit, const struct hpm_samples *samples,
          const struct hpm_comparisons *comparisons)
{
    size_t n_sides = 0;

    for (size_t side = 1; side < samples->n_sides; side++) {
        size_t n = 0;

        if (!is_about_side(limit, samples, side))
            continue;
        for (size_t i = 0; i < comparisons->n; i++)
            n += comparisons->all[i].side == side &&
                 hpm_gate_judge(limit, samples, &comparisons->all[i]) !=
                     HPM_GATE_OTHER;
        if (n == 0)
            return false;
        n_sides++;
    }
    return n_sides > 0;
}

static bool
has_value(const struct hpm_samples *samples, size_t subject, size_t metric,
          size_t side)
{
    const struct hpm_samples_series *series =
        hpm_samples_get(samples, subject, metric, side);

    for (size_t i = 0; series != NULL && i < series->n; i++) {
        if (!isnan(series->values[i]))
            return true;
    }
    return false;
}

/* Has the side a value of the metric in a section of the limit, or, with
 * `anywhere`, in any section? */
static bool
has_metric(const struct hpm_gate_limit *limit,
           const struct hpm_samples *samples, const char *name, size_t side,
           bool anywhere)
{
    for (size_t i = 0; i < samples->n_subjects; i++) {
        if (!anywhere && !is_section(limit->section, samples->subjects[i].path))
            continue;
        for (size_t j = 0; j < samples->n_metrics; j++) {
            if (hpm_samples_same_metric(name, samples->metrics[j].name) &&
                has_value(samples, i, j, side))
                return true;
        }
    }
    return false;
}

static bool
has_section(const struct hpm_gate_limit *limit,
            const struct hpm_samples *samples)
{
    for (size_t i = 0; i < samples->n_subjects; i++) {
        if (is_section(limit->section, samples->subjects[i].path))
            return true;
    }
    return false;
}

/* Append "B, C": the sides that lack the metric.  Returns their number;
 * *ret_n_asked is the number of all sides that the limit needs. */
static size_t
add_lacking(struct hpm_string *letters, const struct hpm_gate_limit *limit,
            const struct hpm_samples *samples, size_t *ret_n_asked)
{
    size_t n = 0;

    *ret_n_asked = 0;
    for (size_t side = 0; side < samples->n_sides; side++) {
        if (side > 0 && !is_about_side(limit, samples, side))
            continue;
        ++*ret_n_asked;
        if (!has_metric(limit, samples, limit->metric, side, false))
            hpm_string_add_format(letters, "%s%c", n++ > 0 ? ", " : "",
                                  (int)('A' + side));
    }
    return n;
}

/* Why a limit cannot be judged, as a clause. */
static void
say_why(const struct hpm_gate_limit *limit, const struct hpm_samples *samples,
        struct hpm_error *ret_why)
{
    struct hpm_string letters = {0};
    size_t n_asked, n_lacking = add_lacking(&letters, limit, samples, &n_asked);

    if (n_asked < 2)
        hpm_error_set(ret_why, "no side beside A is '%.60s'", limit->side);
    else if (!has_section(limit, samples))
        hpm_error_set(ret_why, "no section is '%.60s'", limit->section);
    else if (n_lacking == 0)
        hpm_error_set(ret_why, "no section has '%.60s' on both sides",
                      limit->metric);
    else if (n_lacking < n_asked)
        hpm_error_set(ret_why, "there is no '%.60s' of %s", limit->metric,
                      hpm_string_text(&letters));
    else if (has_metric(limit, samples, limit->metric, 0, true))
        hpm_error_set(ret_why,
                      "only sections have '%.60s': 'solve: TIME > +3 %%' is of "
                      "a section",
                      limit->metric);
    else
        hpm_error_set(ret_why, "there is no '%.60s'", limit->metric);
    hpm_string_free(&letters);
}

static bool
have_all(const struct hpm_gate_limit *limit, const struct hpm_samples *samples,
         const char *metric)
{
    for (size_t side = 0; side < samples->n_sides; side++) {
        if (!has_metric(limit, samples, metric, side, false))
            return false;
    }
    return true;
}

static bool
refuse_limit(const struct hpm_gate_limit *limit,
             const struct hpm_samples *samples, struct hpm_error *err)
{
    struct hpm_string names = {0};
    struct hpm_error why;

    say_why(limit, samples, &why);
    for (size_t i = 0; i < samples->n_metrics; i++) {
        if (have_all(limit, samples, samples->metrics[i].name))
            hpm_string_add_format(&names, "%s%s", names.length > 0 ? ", " : "",
                                  samples->metrics[i].name);
    }
    hpm_error_set(err,
                  "hpm compare --fail-if '%.80s': %s; all sides have: %.200s",
                  limit->text, why.text,
                  names.length > 0 ? hpm_string_text(&names) : "-");
    hpm_string_free(&names);
    return false;
}

bool
hpm_gate_report(const struct hpm_gate *limits,
                const struct hpm_samples *samples,
                const struct hpm_comparisons *comparisons,
                struct hpm_string *lines, size_t *ret_n_crossed,
                struct hpm_error *err)
{
    *ret_n_crossed = 0;
    for (size_t i = 0; i < limits->n; i++) {
        const struct hpm_gate_limit *limit = &limits->all[i];

        if (!is_judged(limit, samples, comparisons))
            return refuse_limit(limit, samples, err);
        report_limit(limit, samples, comparisons, lines, ret_n_crossed);
    }
    return true;
}
