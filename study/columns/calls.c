/* SPDX-License-Identifier: BSD-3-Clause
 * The single calls of a study. */
#include "study/columns/calls.h"

#include "model/profile.h"

/* ---- what a call counted ---------------------------------------------- */

/* Read a decimal number without leading zeros, as files have them: at most
 * INT64_MAX. */
static bool
read_amount(const char **text, int64_t *ret_amount)
{
    const char *c = *text;
    int64_t amount = 0;

    if (*c < '0' || *c > '9' || (*c == '0' && c[1] >= '0' && c[1] <= '9'))
        return false;
    for (; *c >= '0' && *c <= '9'; c++) {
        if (amount > (INT64_MAX - (*c - '0')) / 10)
            return false;
        amount = 10 * amount + (*c - '0');
    }
    *text = c;
    *ret_amount = amount;
    return true;
}

bool
hpm_calls_value(const char **text, struct hpm_call_value *ret_value)
{
    const char *c = *text;
    bool is_minus = *c == '-';

    *ret_value = (struct hpm_call_value){.is_there = false};
    c += is_minus;
    if (!is_minus || (*c != ' ' && *c != '\0')) {
        if (!read_amount(&c, &ret_value->count))
            return false;
        if (is_minus)
            ret_value->count = -ret_value->count;
        ret_value->is_there = true;
        ret_value->is_estimate = *c == '*';
        c += ret_value->is_estimate;
    }
    if (*c != '\0' && *c++ != ' ')
        return false;
    *text = c;
    return true;
}

bool
hpm_calls_are_counts(const char *text, size_t n)
{
    struct hpm_call_value value;

    for (size_t i = 0; i < n; i++) {
        if (!hpm_calls_value(&text, &value) || (text[-1] == ' ') != (i + 1 < n))
            return false;
    }
    return *text == '\0';
}

/* ---- draws ------------------------------------------------------------- */

bool
hpm_calls_begin(struct hpm_study *study, const struct hpm_study_kept *kept)
{
    struct hpm_study_kept *added;

    if (!hpm_arena_grow(&study->arena, &study->kept, &study->kept_capacity,
                        study->n_kept + 1, sizeof *study->kept))
        return false;
    added = &study->kept[study->n_kept++];
    *added = *kept;
    added->first = study->n_calls;
    added->n = 0;
    return true;
}

bool
hpm_calls_add(struct hpm_study *study, const struct hpm_study_call *call)
{
    if (!hpm_arena_grow(&study->arena, &study->calls, &study->calls_capacity,
                        study->n_calls + 1, sizeof *study->calls))
        return false;
    study->calls[study->n_calls++] = *call;
    study->kept[study->n_kept - 1].n++;
    return true;
}

static uint64_t
row_of(const void *kept)
{
    return ((const struct hpm_study_kept *)kept)->row;
}

size_t
hpm_calls_of(const struct hpm_study *study, uint32_t row,
             const struct hpm_study_kept **ret_first)
{
    const void *first;
    size_t n = hpm_profile_find_all(study->kept, study->n_kept,
                                    sizeof *study->kept, row_of, row, &first);

    *ret_first = first;
    return n;
}

/* ---- from one study into another --------------------------------------- */

static bool
move_draw(struct hpm_study *to, const struct hpm_study *from,
          struct hpm_study_kept kept, uint32_t to_row)
{
    const char *const *counters = kept.counters;
    const struct hpm_study_call *calls = from->calls + kept.first;
    size_t n = kept.n;

    kept.row = to_row;
    kept.counters =
        hpm_arena_new(&to->arena, kept.n_counters, sizeof *kept.counters);
    if (kept.counters == NULL)
        return false;
    for (size_t i = 0; i < kept.n_counters; i++) {
        kept.counters[i] = counters[i];
        if (!hpm_study_own(to, &kept.counters[i]))
            return false;
    }
    if (!hpm_calls_begin(to, &kept))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct hpm_study_call call = calls[i];

        if (!hpm_study_own(to, &call.counts) || !hpm_calls_add(to, &call))
            return false;
    }
    return true;
}

bool
hpm_calls_move_row(struct hpm_study *to, const struct hpm_study *from,
                   uint32_t row, uint32_t to_row)
{
    const struct hpm_study_kept *kept;
    size_t n = from->n_kept > 0 ? hpm_calls_of(from, row, &kept) : 0;

    for (size_t i = 0; i < n; i++) {
        if (!move_draw(to, from, kept[i], to_row))
            return false;
    }
    return true;
}

bool
hpm_calls_tell_left_out(struct hpm_study *result,
                        const struct hpm_study *const *studies, size_t n)
{
    struct hpm_string words = {0};
    const char *kept;
    size_t n_with = 0;

    for (size_t i = 0; i < n; i++)
        n_with += studies[i]->n_kept > 0;
    if (n_with == 0)
        return true;
    hpm_string_add_format(&words,
                          "single calls (HPM_CALLS) are in %zu of %zu results; "
                          "runs have no calls in common, so none is in this "
                          "one: look at the files of single runs",
                          n_with, n);
    kept = hpm_study_keep(result, &words);
    for (uint32_t i = 0; kept != NULL && i < result->n_tasks; i++) {
        if (!hpm_study_add_problem(result, i, kept))
            return false;
    }
    return kept != NULL;
}
