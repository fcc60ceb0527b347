/* SPDX-License-Identifier: BSD-3-Clause
 * Limits of what may change. */
#include "study/compare/gate.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/compare/words.h"

/* 1030 / 1000 - 1 is a little more than 0.03. */
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

/* The words from `from` to `end` without the blanks around them. */
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

/* "+3 %", "-0.5%" */
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

/* What stands in front of the metric; the metric's begin. */
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
    if (isnan(ratio)) /* a was 0 */
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

/* False: nothing is there that it is about. */
static bool
report_limit(const struct hpm_gate_limit *limit,
             const struct hpm_samples *samples,
             const struct hpm_comparisons *comparisons,
             struct hpm_string *lines, size_t *n_crossed)
{
    size_t n_about = 0, n_held = 0;

    for (size_t i = 0; i < comparisons->n; i++) {
        const struct hpm_comparison *one = &comparisons->all[i];
        enum hpm_gate_verdict verdict = hpm_gate_judge(limit, samples, one);

        n_about += verdict != HPM_GATE_OTHER;
        *n_crossed += verdict == HPM_GATE_CROSSED;
        n_held += verdict == HPM_GATE_HELD;
        if (verdict != HPM_GATE_OTHER &&
            (verdict != HPM_GATE_HELD || n_held == 1))
            add_line(lines, limit, samples, one, verdict);
    }
    return n_about > 0;
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
        struct hpm_string names = {0};

        if (report_limit(&limits->all[i], samples, comparisons, lines,
                         ret_n_crossed))
            continue;
        for (size_t j = 0; j < samples->n_metrics; j++)
            hpm_string_add_format(&names, "%s%s", j > 0 ? ", " : "",
                                  samples->metrics[j].name);
        hpm_error_set(
            err,
            "hpm compare --fail-if '%.80s' is about nothing that both sides "
            "have (of a section: 'solve: TIME > +3 %%'); there are: "
            "%.300s",
            limits->all[i].text, hpm_string_text(&names));
        hpm_string_free(&names);
        return false;
    }
    return true;
}
